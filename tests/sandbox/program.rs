//! Runs the built program as a user would: its own process, its own environment, real pipes.

use std::{
    os::unix::process::ExitStatusExt,
    path::Path,
    process::{ExitStatus, Stdio},
    sync::{Arc, Mutex},
};

use rustix::process::{Pid, Signal, kill_process};
use tokio::{
    io::AsyncWriteExt,
    process::{Child, Command},
};

use super::{Running, planted::assert_unseen};

/// The program with arguments, not run yet.
pub struct Invocation {
    command: Command,
    input: String,
    process: Process,
}

/// The process of a program that is started later, so that others may send it signals.
#[derive(Clone, Default)]
pub struct Process(Arc<Mutex<Option<Pid>>>);

impl Process {
    /// Sends it a signal; one that has ended, or never began, hears nothing.
    pub fn signal(&self, signal: Signal) {
        if let Some(pid) = *self.0.lock().expect("no holder panics") {
            let _ = kill_process(pid, signal);
        }
    }

    fn is(&self, pid: Option<Pid>) {
        *self.0.lock().expect("no holder panics") = pid;
    }

    pub(super) fn has_ended(&self) {
        self.is(None);
    }
}

/// What the program left when it ended.
#[derive(Debug)]
pub struct Ran {
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    status: ExitStatus,
}

impl Invocation {
    /// The program with these arguments and this kubeconfig, and nothing else of the environment.
    pub fn new(kubeconfig: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-copyrator"));
        command
            .args(arguments)
            .env_clear()
            .env("KUBECONFIG", kubeconfig)
            .kill_on_drop(true);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Self {
            command,
            input: String::new(),
            process: Process::default(),
        }
    }

    /// Makes it known to whoever has a signal for it.
    pub fn known_as(mut self, process: &Process) -> Self {
        self.process = process.clone();
        self
    }

    /// What the program reads from standard input.
    pub fn stdin(mut self, input: &str) -> Self {
        input.clone_into(&mut self.input);
        self
    }

    /// Gives it a variable of the environment.
    pub fn variable(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Runs it to its end. No planted value may be in what it prints.
    pub async fn run(mut self) -> Ran {
        let child = self.spawn().await;
        let output = child.wait_with_output().await.expect("the program ends");
        self.process.is(None);
        let text = |bytes| String::from_utf8(bytes).expect("the program prints UTF-8");
        Ran::new(text(output.stdout), text(output.stderr), output.status)
    }

    /// Starts it, to go on until it is stopped.
    pub async fn start(mut self) -> Running {
        let child = self.spawn().await;
        Running::new(child, self.process)
    }

    async fn spawn(&mut self) -> Child {
        let mut child = self.command.spawn().expect("the program starts");
        let pid = child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
        self.process.is(pid);
        let mut stdin = child.stdin.take().expect("standard input is piped");
        // A program that refuses its arguments never reads its input.
        let _ = stdin.write_all(self.input.as_bytes()).await;
        child
    }
}

impl Ran {
    pub(super) fn new(stdout: String, stderr: String, status: ExitStatus) -> Self {
        assert_unseen(&stdout);
        assert_unseen(&stderr);
        Self {
            stdout,
            stderr,
            status,
        }
    }

    /// The exit code.
    pub fn code(&self) -> i32 {
        self.status.code().expect("the program wasn't killed")
    }

    /// Whether SIGKILL ended it.
    pub fn was_killed(&self) -> bool {
        self.status.signal() == Some(Signal::KILL.as_raw())
    }

    /// Asserts that it succeeded.
    #[track_caller]
    pub fn succeeded(self) -> Self {
        assert_eq!(self.code(), 0, "{self:#?}");
        self
    }

    /// Asserts that it ended with this code.
    #[track_caller]
    pub fn failed_with(self, code: i32) -> Self {
        assert_eq!(self.code(), code, "{self:#?}");
        self
    }

    /// Asserts that it wrote nothing to the cluster: no result line, and nothing but `unchanged` in
    /// the summary.
    #[track_caller]
    pub fn wrote_nothing(self) -> Self {
        let ran = self.succeeded();
        assert_eq!(ran.stdout, "", "{ran:#?}");
        for word in ["created", "configured", "replaced", "pruned", "released"] {
            assert!(!ran.stderr.contains(word), "{ran:#?}");
        }
        ran
    }

    /// Asserts that standard error contains a text.
    #[track_caller]
    pub fn says(self, text: &str) -> Self {
        assert!(self.stderr.contains(text), "no {text:?} in {self:#?}");
        self
    }

    /// Asserts that standard output contains a text.
    #[track_caller]
    pub fn prints(self, text: &str) -> Self {
        assert!(self.stdout.contains(text), "no {text:?} in {self:#?}");
        self
    }
}
