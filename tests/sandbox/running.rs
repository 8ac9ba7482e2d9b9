//! A program that goes on: what it tells is read as it comes, until somebody stops it.

use std::{future::Future, process::ExitStatus, time::Duration};

use rustix::process::Signal;
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, BufReader},
    process::Child,
    sync::watch,
    task::JoinHandle,
    time::timeout,
};

use super::{Process, Ran};

/// How long something may take that should happen at once, on a machine that is busy with other tests.
pub const PATIENCE: Duration = Duration::from_mins(2);

/// A program that goes on. It is killed when this is dropped.
pub struct Running {
    child: Child,
    process: Process,
    id: u32,
    out: Told,
    err: Told,
}

/// What came out of a pipe by now.
struct Told {
    text: watch::Receiver<String>,
    reader: JoinHandle<()>,
}

impl Told {
    fn read(pipe: impl AsyncRead + Send + Unpin + 'static) -> Self {
        let (sender, text) = watch::channel(String::new());
        let reader = tokio::spawn(async move {
            let mut lines = BufReader::new(pipe).lines();
            while let Some(line) = lines.next_line().await.expect("the program prints UTF-8") {
                sender.send_modify(|text| {
                    text.push_str(&line);
                    text.push('\n');
                });
            }
        });
        Self { text, reader }
    }

    fn now(&self) -> String {
        self.text.borrow().clone()
    }

    async fn contains(&self, text: &str) -> bool {
        let mut told = self.text.clone();
        let contains = told.wait_for(|told| told.contains(text));
        matches!(timeout(PATIENCE, contains).await, Ok(Ok(_)))
    }

    async fn whole(self) -> String {
        self.reader.await.expect("the reader doesn't panic");
        self.text.borrow().clone()
    }
}

impl Running {
    pub(super) fn new(mut child: Child, process: Process) -> Self {
        let out = child.stdout.take().expect("standard output is piped");
        let err = child.stderr.take().expect("standard error is piped");
        Self {
            out: Told::read(out),
            err: Told::read(err),
            id: child.id().expect("it wasn't waited for yet"),
            process,
            child,
        }
    }

    /// What it has printed on standard output by now.
    pub fn stdout(&self) -> String {
        self.out.now()
    }

    /// What it has printed on standard error by now.
    pub fn stderr(&self) -> String {
        self.err.now()
    }

    /// Waits until it has said this on standard error.
    pub async fn says(&self, text: &str) -> &Self {
        assert!(
            self.err.contains(text).await,
            "no {text:?} in {}",
            self.told()
        );
        self
    }

    /// Waits until it has printed this on standard output.
    pub async fn prints(&self, text: &str) -> &Self {
        assert!(
            self.out.contains(text).await,
            "no {text:?} in {}",
            self.told()
        );
        self
    }

    /// Waits for something, and tells what the program told if it doesn't come.
    pub async fn until<T>(&self, comes: impl Future<Output = T>) -> T {
        let came = timeout(PATIENCE, comes).await;
        came.unwrap_or_else(|_| panic!("it doesn't come; {}", self.told()))
    }

    fn told(&self) -> String {
        format!("stdout:\n{}stderr:\n{}", self.out.now(), self.err.now())
    }

    /// The memory that it holds, in KiB.
    pub fn resident(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id));
        let status = status.expect("the program runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().next());
        let number = number.and_then(|number| number.parse().ok());
        number.expect("the kernel tells the resident memory")
    }

    /// The processor time that it has used.
    pub fn processor_time(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.id));
        let stat = stat.expect("the program runs");
        let (_, fields) = stat.rsplit_once(") ").expect("the name is in parentheses");
        let ticks = fields.split(' ').skip(11).take(2);
        let ticks: u32 = ticks
            .map(|field| field.parse::<u32>().expect("a count of ticks"))
            .sum();
        Duration::from_millis(10) * ticks
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) {
        self.process.signal(signal);
    }

    /// Sends it a signal, and waits for its end.
    pub async fn stop(self, signal: Signal) -> Ran {
        self.signal(signal);
        self.ended().await
    }

    /// Waits for its end. No planted value may be in what it printed.
    pub async fn ended(mut self) -> Ran {
        let status: ExitStatus = match timeout(PATIENCE, self.child.wait()).await {
            Ok(status) => status.expect("the program can be waited for"),
            Err(late) => panic!("it doesn't end ({late}); {}", self.told()),
        };
        self.process.has_ended();
        Ran::new(self.out.whole().await, self.err.whole().await, status)
    }
}
