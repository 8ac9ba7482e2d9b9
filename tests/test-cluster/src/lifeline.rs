//! Ends a cluster when its owner ends, in whatever way that happens.
//!
//! Nothing in the owner can be relied on: it may be killed, and a Rust test binary never drops its
//! statics. So two shells wait on pipes that only the owner holds open, and that the kernel closes
//! with it:
//!
//! - The *anchor* leads the process group that all components are started into. When its pipe
//!   closes, it kills the group, itself included. A signal to a group misses nobody and, as long as
//!   its leader lives, can't hit a stranger, which a list of process ids could.
//! - The *janitor* removes the cluster's folder and its nodes' control groups. Its pipe is held by the owner and, as their
//!   stdin, by all components: it closes when the last of them is gone. The janitor shares the
//!   folder's lock, so nobody takes the folder for a leftover before it is done.
//!
//! A stop on purpose goes the same way, so every test run proves it. A parent-death signal was no
//! choice: it fires when the *thread* that started the child ends, and needs unsafe code.
//! The groups are not the terminal's foreground group, so Ctrl-C reaches the owner alone.

use std::io::{self, PipeWriter, pipe};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::directory::ClusterDirectory;
use crate::error::Error;
use crate::nodes::cgroup_name;

const ANCHOR: &str = "trap '' HUP INT QUIT TERM; read -r _; kill -KILL 0";
const JANITOR: &str = concat!(
    "trap '' HUP INT QUIT TERM; read -r _\n",
    include_str!("remove.sh")
);
const REMOVE: &str = include_str!("remove.sh");

/// What ties a cluster to this process.
#[derive(Debug)]
pub(crate) struct Lifeline {
    anchor: Child,
    anchor_pipe: Option<PipeWriter>,
    janitor: Child,
    janitor_pipe: Option<PipeWriter>,
}

impl Lifeline {
    pub(crate) fn tie(directory: &ClusterDirectory) -> Result<Self, Error> {
        let folder = directory.path();
        let lock = Stdio::from(directory.share_lock()?);
        let (janitor, janitor_pipe) = wait_on_pipe(JANITOR, folder, lock)?;
        let (anchor, anchor_pipe) = wait_on_pipe(ANCHOR, folder, Stdio::null())?;
        let (anchor_pipe, janitor_pipe) = (Some(anchor_pipe), Some(janitor_pipe));
        Ok(Self {
            anchor,
            anchor_pipe,
            janitor,
            janitor_pipe,
        })
    }

    /// Makes a command start its process as a part of the cluster.
    pub(crate) fn join(&self, command: &mut Command) -> Result<(), Error> {
        let group = self
            .anchor
            .id()
            .try_into()
            .expect("Linux has no process id above 2^22");
        let pipe = self
            .janitor_pipe
            .as_ref()
            .expect("the pipe is only closed by `cut`");
        let held = pipe.try_clone().map_err(Error::system("share a pipe"))?;
        command.process_group(group).stdin(OwnedFd::from(held));
        Ok(())
    }

    /// Kills every process of the cluster.
    pub(crate) fn kill_all(&mut self) {
        drop(self.anchor_pipe.take());
        let _ = self.anchor.wait();
    }

    /// Kills what is left and waits until the folder has been removed.
    pub(crate) fn cut(&mut self) {
        self.kill_all();
        drop(self.janitor_pipe.take());
        let _ = self.janitor.wait();
    }
}

impl Drop for Lifeline {
    fn drop(&mut self) {
        self.cut();
    }
}

/// Removes what a cluster in this folder left, when all its processes have been killed.
pub(crate) fn remove(folder: &Path) -> Result<(), Error> {
    let mut command = shell(REMOVE, folder);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().map(drop).map_err(not_started)
}

/// Starts a shell in a group of its own that reads from a pipe.
fn wait_on_pipe(script: &str, folder: &Path, stdout: Stdio) -> Result<(Child, PipeWriter), Error> {
    let (reader, writer) = pipe().map_err(Error::system("make a pipe"))?;
    let child = shell(script, folder)
        .process_group(0)
        .stdin(reader)
        .stdout(stdout)
        .stderr(Stdio::null())
        .spawn()
        .map_err(not_started)?;
    Ok((child, writer))
}

/// A shell that has the folder as `$1`, and the name of its control groups as `$2`.
fn shell(script: &str, folder: &Path) -> Command {
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", script, "test-cluster"])
        .arg(folder)
        .arg(cgroup_name(folder))
        .current_dir("/");
    command
}

fn not_started(source: io::Error) -> Error {
    Error::Spawn {
        program: "/bin/sh".into(),
        source,
    }
}
