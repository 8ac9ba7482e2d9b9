//! A cluster whose owner is another process, `test-cluster up`, so that it can be killed.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use rustix::process::Signal;

use crate::traces::{self, Process};

/// The process, killed at the latest when this is dropped.
pub struct Owner {
    child: Child,
}

/// A command of the binary, with a temporary folder of its own.
pub fn test_cluster(temporary: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_test-cluster"));
    command
        .args(arguments)
        .env("TMPDIR", temporary)
        .stdin(Stdio::null());
    command
}

impl Owner {
    /// Starts `test-cluster up` without waiting for the cluster.
    pub fn begin(temporary: &Path, arguments: &[&str]) -> Self {
        let mut command = test_cluster(temporary, &["up"]);
        command
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Self {
            child: command.spawn().expect("a started test-cluster"),
        }
    }

    /// Starts `test-cluster up` and waits until it prints the kubeconfig's path.
    pub fn up(temporary: &Path, arguments: &[&str]) -> (Self, PathBuf) {
        let mut owner = Self::begin(temporary, arguments);
        let mut stdout = BufReader::new(owner.child.stdout.take().expect("a piped stdout"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("a line");
        let Some(kubeconfig) = line.trim_end().strip_prefix("KUBECONFIG=") else {
            panic!("no kubeconfig but {line:?}; stderr: {}", owner.stderr());
        };
        (owner, PathBuf::from(kubeconfig))
    }

    pub fn signal(&self, signal: Signal) {
        traces::signal(self.child.id().try_into().expect("a process id"), signal);
    }

    pub fn wait(&mut self) -> ExitStatus {
        self.child.wait().expect("an exit status")
    }

    /// Kills the process like the kernel when memory is short.
    pub fn kill(&mut self) {
        self.child.kill().expect("a killed owner");
        self.wait();
    }

    fn stderr(&mut self) -> String {
        let mut text = String::new();
        let stderr = self.child.stderr.as_mut().expect("a piped stderr");
        stderr.read_to_string(&mut text).expect("text");
        text
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until one cluster under `temporary` has started a component, and gives its folder.
pub fn wait_for_component(temporary: &Path, name: &str) -> PathBuf {
    let is_component = |process: &Process| process.program() == name;
    traces::eventually(&format!("a start of {name}"), || {
        traces::processes_in(temporary).iter().any(is_component)
    });
    traces::cluster_folders(temporary)
        .pop()
        .expect("a cluster's folder")
}
