//! Asks the server, politely and not.

use std::{
    io::{Read, Write},
    net::{Ipv4Addr, TcpStream},
    sync::Arc,
    time::Instant,
};

use super::*;
use crate::telemetry::{Health, Metrics};

struct Served {
    server: HealthServer,
    health: Arc<Health>,
}

fn served() -> Served {
    let telemetry = Telemetry {
        metrics: Arc::new(Metrics::new("0")),
        health: Arc::new(Health::starting("rules")),
    };
    let health = Arc::clone(&telemetry.health);
    let server = HealthServer::start((Ipv4Addr::LOCALHOST, 0).into(), telemetry).unwrap();
    Served { server, health }
}

impl Served {
    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.server.address()).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(30)))
            .unwrap();
        stream
    }

    /// Sends these bytes, and gives all that is answered until the connection is closed.
    fn send(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // A server that has refused may have closed already.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8(answer).unwrap()
    }

    fn ask(&self, method: &str, path: &str) -> String {
        self.send(
            format!("{method} {path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n").as_bytes(),
        )
    }
}

#[test]
fn readiness_is_told_with_what_is_waited_for() {
    let served = served();
    let waiting = served.ask("GET", "/readyz");
    assert!(waiting.starts_with("HTTP/1.1 503 "), "{waiting}");
    assert!(
        waiting.ends_with("\r\n\r\nrules: it is starting\n"),
        "{waiting}"
    );
    served.health.is_ready("rules");
    let ready = served.ask("GET", "/readyz?verbose");
    assert!(
        ready.starts_with("HTTP/1.1 200 ") && ready.ends_with("\r\n\r\nok\n"),
        "{ready}"
    );
}

#[test]
fn life_and_metrics_are_told() {
    let served = served();
    assert!(served.ask("GET", "/healthz").starts_with("HTTP/1.1 200 "));
    let metrics = served.ask("GET", "/metrics");
    assert!(
        metrics.contains("content-type: application/openmetrics-text; version=1.0.0"),
        "{metrics}"
    );
    assert!(metrics.contains("\ncopyrator_leader 0\n") && metrics.ends_with("# EOF\n"));
    let head = served.ask("HEAD", "/metrics");
    assert!(
        head.starts_with("HTTP/1.1 200 ") && head.ends_with("\r\n\r\n"),
        "{head}"
    );
}

#[test]
fn anything_else_is_refused_in_plain_text() {
    let served = served();
    let missing = served.ask("GET", "/debug");
    assert!(missing.starts_with("HTTP/1.1 404 "), "{missing}");
    assert!(missing.contains("content-type: text/plain"), "{missing}");
    assert!(missing.ends_with("there is only /healthz, /readyz and /metrics\n"));
    let posted = served.ask("POST", "/healthz");
    assert!(
        posted.starts_with("HTTP/1.1 405 ") && posted.contains("allow: GET, HEAD\r\n"),
        "{posted}"
    );
    assert!(
        served
            .send(b"nonsense\r\n\r\n")
            .starts_with("HTTP/1.1 400 ")
    );
}

#[test]
fn a_head_without_end_is_refused() {
    let served = served();
    let padding = format!("a: {}\r\n", "b".repeat(1000)).repeat(40);
    let answer = served.send(format!("GET /healthz HTTP/1.1\r\n{padding}\r\n").as_bytes());
    assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
}

#[test]
fn whoever_is_slow_is_let_go_of_and_holds_up_nobody() {
    let served = served();
    let begun = Instant::now();
    let mut slow: Vec<TcpStream> = (0..CONNECTIONS).map(|_| served.connect()).collect();
    for stream in &mut slow {
        stream.write_all(b"GET /healthz HTTP/1.1\r\n").unwrap();
    }
    // It has to wait until they are let go of.
    assert!(served.ask("GET", "/healthz").starts_with("HTTP/1.1 200 "));
    assert!(begun.elapsed() < HEAD * 3, "{:?}", begun.elapsed());
    let mut rest = Vec::new();
    let _ = slow[0].read_to_end(&mut rest);
    assert!(begun.elapsed() < HEAD * 3, "{:?}", begun.elapsed());
}

#[test]
fn a_taken_address_is_an_error() {
    let served = served();
    let telemetry = Telemetry {
        metrics: Arc::new(Metrics::new("0")),
        health: Arc::new(Health::starting("rules")),
    };
    let error = HealthServer::start(served.server.address(), telemetry).unwrap_err();
    let expected = format!(
        "cannot serve health and metrics on {}: ",
        served.server.address()
    );
    assert!(error.to_string().starts_with(&expected), "{error}");
}
