//! When a provider is asked again, and when it isn't.

use std::time::{Duration, Instant};

use kubectl_copyrator::rates::provider::{Feeds as _, WebOptions};
use tokio::net::TcpListener;

use super::{
    feeds::{RATES, fetch, options, own, web, why},
    replies::{Reply, cut, ok, stalled, status},
    server::Server,
};

/// Fails in one way at first.
async fn after(failures: usize, failure: Reply) -> Server {
    Server::start(move |_, before| {
        if before < failures {
            failure.clone()
        } else {
            ok(RATES)
        }
    })
    .await
}

#[tokio::test]
async fn a_server_in_trouble_is_asked_three_times() {
    for code in [500, 502, 503, 504] {
        let server = after(2, status(code, &[])).await;
        assert!(fetch(&server.url("/")).await.is_ok(), "{code}");
        let server = after(3, status(code, &[])).await;
        assert_eq!(why(fetch(&server.url("/")).await).0, "HttpStatus");
        assert_eq!(server.requests().len(), 3);
    }
}

#[tokio::test]
async fn who_is_told_no_does_not_ask_again() {
    for code in [400, 401, 403, 404, 410, 422] {
        let server = after(1, status(code, &[])).await;
        assert_eq!(why(fetch(&server.url("/")).await).0, "HttpStatus", "{code}");
    }
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_asked_for_again() {
    let server = after(2, cut(RATES)).await;
    assert!(fetch(&server.url("/")).await.is_ok());
    let server = Server::always(cut(RATES)).await;
    let closed = "the connection was closed before the answer was complete";
    assert_eq!(
        why(fetch(&server.url("/")).await),
        ("Unreachable", closed.to_owned())
    );
    let server = after(3, Reply::Send(Vec::new())).await;
    assert_eq!(
        why(fetch(&server.url("/")).await),
        ("Unreachable", closed.to_owned())
    );
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn a_server_that_falls_silent_is_asked_again() {
    let server = after(1, stalled(RATES)).await;
    let hasty = WebOptions {
        idle_timeout: Duration::from_millis(300),
        ..options()
    };
    assert!(web(hasty).fetch(&own(&server.url("/")), None).await.is_ok());
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn a_feed_takes_no_longer_than_is_allowed() {
    let server = Server::always(Reply::Stall(Vec::new())).await;
    let hasty = WebOptions {
        total_timeout: Duration::from_millis(300),
        ..options()
    };
    let begun = Instant::now();
    let got = web(hasty).fetch(&own(&server.url("/")), None).await;
    assert_eq!(
        why(got),
        ("TimedOut", "no answer within the time allowed".to_owned())
    );
    assert!(
        begun.elapsed() < Duration::from_secs(15),
        "{:?}",
        begun.elapsed()
    );
}

#[tokio::test]
async fn nobody_at_home_is_told_as_such() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    assert_eq!(
        why(fetch(&url).await),
        ("Unreachable", "connection refused".to_owned())
    );
    let nowhere = fetch("http://nowhere.invalid/").await;
    assert_eq!(why(nowhere), ("Unreachable", "no such host".to_owned()));
}

#[tokio::test]
async fn what_is_not_http_is_told_as_such() {
    let server = Server::always(Reply::Send(b"SSH-2.0-OpenSSH_9.9\r\n".to_vec())).await;
    let told = ("Unreachable", "it doesn't speak HTTP".to_owned());
    assert_eq!(why(fetch(&server.url("/")).await), told);
}
