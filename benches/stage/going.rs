//! A program that goes on: started, listened to, looked at and stopped.

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, Sender, channel},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};

use super::{Stage, server_cpu};
use crate::error::Outcome;

/// The line that says that all is read.
const READY: &str = "watching for changes";
const PATIENCE: Duration = Duration::from_mins(5);

/// A program that goes on.
pub struct Going {
    child: Child,
    begun: Instant,
    out: Receiver<(String, Instant)>,
    err: Receiver<(String, Instant)>,
}

impl Stage {
    /// Starts a program's `sync --watch` as the user, with more arguments.
    pub fn go(&self, program: &Path, more: &[&str]) -> Outcome<Going> {
        let begun = Instant::now();
        let mut child = Command::new(program)
            .args(["sync", "--watch", "--kubeconfig"])
            .arg(&self.user().kubeconfig)
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let out = lines(child.stdout.take().ok_or("no standard output")?);
        let err = lines(child.stderr.take().ok_or("no standard error")?);
        Ok(Going {
            child,
            begun,
            out,
            err,
        })
    }
}

fn lines(stream: impl Read + Send + 'static) -> Receiver<(String, Instant)> {
    let (sender, receiver): (Sender<(String, Instant)>, _) = channel();
    thread::spawn(move || {
        for line in BufReader::new(stream).lines() {
            let Ok(line) = line else { return };
            if sender.send((line, Instant::now())).is_err() {
                return;
            }
        }
    });
    receiver
}

impl Going {
    /// Waits until all is read; how long that took since the start, in seconds.
    pub fn ready(&self) -> Outcome<f64> {
        loop {
            let (line, at) = self.err.recv_timeout(PATIENCE)?;
            if line.starts_with(READY) {
                return Ok((at - self.begun).as_secs_f64());
            }
        }
    }

    /// Waits for so many result lines; when the last of them came.
    pub fn results(&self, count: usize) -> Outcome<Instant> {
        let mut last = Instant::now();
        for _ in 0..count {
            (_, last) = self.out.recv_timeout(PATIENCE)?;
        }
        Ok(last)
    }

    /// What it has said on standard error since it was last asked.
    pub fn said(&self) -> Vec<String> {
        self.err.try_iter().map(|(line, _)| line).collect()
    }

    /// Its CPU time until now, in seconds.
    pub fn cpu(&self) -> Outcome<f64> {
        server_cpu::seconds(&[self.child.id()])
    }

    /// The most memory that was resident until now.
    pub fn peak_mib(&self) -> Outcome<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find(|line| line.starts_with("VmHWM:"));
        let kibibytes = line.and_then(|line| line.split_whitespace().nth(1));
        Ok(kibibytes.ok_or("no peak")?.parse::<f64>()? / 1024.0)
    }
}

impl Drop for Going {
    fn drop(&mut self) {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        if let Some(pid) = pid {
            let _ = kill_process(pid, Signal::INT);
        }
        let _ = self.child.wait();
    }
}
