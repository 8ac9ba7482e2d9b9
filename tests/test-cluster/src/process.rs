//! One running component: its process and its log.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use crate::directory::ClusterDirectory;
use crate::error::{Error, last_lines};
use crate::lifeline::Lifeline;
use crate::nodes::PATH;

const QUOTED_LINES: usize = 12;

/// A component that was started.
#[derive(Debug)]
pub(crate) struct Process {
    name: &'static str,
    child: Child,
    log: PathBuf,
}

impl Process {
    /// Starts a command, with a bare environment: etcd, for one, takes every `ETCD_*` variable for
    /// a flag. What it prints goes to the log.
    pub(crate) fn start(
        name: &'static str,
        command: Command,
        directory: &ClusterDirectory,
        lifeline: &Lifeline,
    ) -> Result<Self, Error> {
        Self::spawn(name, command, None, directory, lifeline)
    }

    /// The same, but what it prints on standard output can be heard.
    pub(crate) fn start_heard(
        name: &'static str,
        command: Command,
        directory: &ClusterDirectory,
        lifeline: &Lifeline,
    ) -> Result<(Self, ChildStdout), Error> {
        let heard = Some(Stdio::piped());
        let mut process = Self::spawn(name, command, heard, directory, lifeline)?;
        let stdout = process.child.stdout.take();
        Ok((process, stdout.expect("it is piped")))
    }

    fn spawn(
        name: &'static str,
        mut command: Command,
        stdout: Option<Stdio>,
        directory: &ClusterDirectory,
        lifeline: &Lifeline,
    ) -> Result<Self, Error> {
        let log = log_path(directory, name);
        let file = File::options().create(true).append(true).open(&log);
        let file = file.map_err(Error::file("create", &log))?;
        let shared = file.try_clone().map_err(Error::file("share", &log))?;
        command
            .current_dir(directory.path())
            .env_clear()
            .env("PATH", PATH)
            .stdout(stdout.unwrap_or_else(|| shared.into()))
            .stderr(file);
        lifeline.join(&mut command)?;
        let child = command.spawn().map_err(|source| Error::Spawn {
            program: command.get_program().into(),
            source,
        })?;
        Ok(Self { name, child, log })
    }

    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// An error if the process ended.
    pub(crate) fn check(&mut self) -> Result<(), Error> {
        match self
            .child
            .try_wait()
            .map_err(Error::system("ask for a process's state"))?
        {
            None => Ok(()),
            Some(status) => Err(Error::Exited {
                name: self.name,
                status,
                log: self.log.clone(),
                tail: tail(&self.log),
            }),
        }
    }

    /// Kills the process with SIGKILL, if it still runs, and waits until it is gone.
    pub(crate) fn kill(&mut self) -> Result<(), Error> {
        self.child
            .kill()
            .map_err(Error::system("kill a component"))?;
        self.wait()
    }

    pub(crate) fn wait(&mut self) -> Result<(), Error> {
        self.child
            .wait()
            .map(drop)
            .map_err(Error::system("wait for a component to end"))
    }
}

/// Where a component's log is.
pub(crate) fn log_path(directory: &ClusterDirectory, name: &str) -> PathBuf {
    directory.path().join(format!("{name}.log"))
}

/// The end of a log.
pub(crate) fn tail(log: &Path) -> String {
    let bytes = fs::read(log).unwrap_or_default();
    last_lines(&String::from_utf8_lossy(&bytes), QUOTED_LINES)
}
