//! A controller that runs: its log as it comes, its answers over HTTP, and its end.

use std::{
    process::Stdio,
    sync::{Arc, Mutex},
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
    process::{Child, Command},
    task::JoinHandle,
    time::{Instant, sleep, timeout},
};

use crate::sandbox::{PATIENCE, Sandbox, is_seen};

/// A controller that runs.
pub struct Running {
    child: Child,
    lines: Arc<Mutex<Vec<String>>>,
    reader: JoinHandle<()>,
}

/// Starts a controller with these arguments, any port for its health and lines of JSON.
pub fn start(sandbox: &Sandbox, arguments: &str) -> Running {
    start_with(sandbox, arguments, &[])
}

pub fn start_with(sandbox: &Sandbox, arguments: &str, variables: &[(&str, &str)]) -> Running {
    let always = "controller run --health-address 127.0.0.1:0 --log-format json";
    let mut child = Command::new(env!("CARGO_BIN_EXE_kubectl-copyrator"))
        .args(always.split(' ').chain(arguments.split(' ')))
        .env_clear()
        .env("KUBECONFIG", sandbox.kubeconfig())
        .envs(variables.iter().copied())
        .kill_on_drop(true)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let stderr = child.stderr.take().expect("standard error is piped");
    let lines = Arc::<Mutex<Vec<String>>>::default();
    let heard = Arc::clone(&lines);
    let reader = tokio::spawn(async move {
        let mut stderr = BufReader::new(stderr).lines();
        while let Ok(Some(line)) = stderr.next_line().await {
            assert!(!is_seen(&line), "a planted value in {line}");
            heard.lock().expect("no holder panics").push(line);
        }
    });
    Running {
        child,
        lines,
        reader,
    }
}

/// Waits until something holds.
pub async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let begun = Instant::now();
    while !holds().await {
        assert!(begun.elapsed() < PATIENCE, "in vain: {what}");
        sleep(Duration::from_millis(20)).await;
    }
}

impl Running {
    pub fn log(&self) -> Vec<String> {
        self.lines.lock().expect("no holder panics").clone()
    }

    /// Waits for a line with this message, and gives its fields.
    pub async fn says(&self, message: &str) -> Value {
        let begun = Instant::now();
        loop {
            let found = self.log().into_iter().find_map(|line| {
                let line: Value = serde_json::from_str(&line).ok()?;
                line["message"].as_str()?.contains(message).then_some(line)
            });
            if let Some(line) = found {
                return line;
            }
            assert!(
                begun.elapsed() < PATIENCE,
                "no {message:?} in {:#?}",
                self.log()
            );
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// The status and the text that a path is answered with.
    pub async fn asks(&self, path: &str) -> (u16, String) {
        let address = self.says("started").await["address"].clone();
        let address = address.as_str().expect("an address is a text");
        let mut stream = TcpStream::connect(address).await.expect("it listens");
        let request = format!("GET {path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
        stream
            .write_all(request.as_bytes())
            .await
            .expect("it reads");
        let mut answer = String::new();
        stream
            .read_to_string(&mut answer)
            .await
            .expect("it answers");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
        (status.expect("a status"), body.to_owned())
    }

    /// Waits until it is ready.
    pub async fn is_ready(&self) {
        eventually("it is ready", async || self.asks("/readyz").await.0 == 200).await;
    }

    /// The value of a metric with these labels, as they are written; none before it is counted.
    pub async fn measures(&self, metric: &str) -> Option<f64> {
        let (_, text) = self.asks("/metrics").await;
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix(metric)?.strip_prefix(' '));
        line.map(|value| value.parse().expect("a value is a number"))
    }

    pub fn signal(&self, signal: Signal) {
        let pid = self
            .child
            .id()
            .and_then(|id| Pid::from_raw(id.cast_signed()));
        kill_process(pid.expect("it runs"), signal).expect("it hears");
    }

    /// Waits for its end; the exit code, which a process that was killed doesn't have.
    pub async fn ends(mut self) -> (Option<i32>, Vec<String>) {
        let ended = timeout(PATIENCE, self.child.wait()).await;
        let status = ended
            .expect("it ends in time")
            .expect("it can be waited for");
        // What it said last may still be in the pipe.
        (&mut self.reader).await.expect("the reader doesn't panic");
        (status.code(), self.log())
    }
}
