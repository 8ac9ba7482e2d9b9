//! Ends a cluster when its owner ends, in whatever way that happens.
//!
//! Nothing in the owner can be relied on: it may be killed, and a Rust test binary never drops its
//! statics. So two shells wait on pipes that only the owner holds open, and that the kernel closes
//! with it:
//!
//! - The *anchor* leads the process group that all components are started into. When its pipe
//!   closes, it kills the group, itself included. A signal to a group misses nobody and, as long as
//!   its leader lives, can't hit a stranger, which a list of process ids could.
//! - The *janitor* removes the cluster's folder. Its pipe is held by the owner and, as their
//!   stdin, by all components: it closes when the last of them is gone. The janitor shares the
//!   folder's lock, so nobody takes the folder for a leftover before it is done.
//!
//! A stop on purpose goes the same way, so every test run proves it. A parent-death signal was no
//! choice: it fires when the *thread* that started the child ends, and needs unsafe code.
//! The groups are not the terminal's foreground group, so Ctrl-C reaches the owner alone.

use std::ffi::OsStr;
use std::io::{PipeWriter, pipe};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

use crate::directory::ClusterDirectory;
use crate::error::Error;

const ANCHOR: &str = "trap '' HUP INT QUIT TERM; read -r _; kill -KILL 0";
const JANITOR: &str = "trap '' HUP INT QUIT TERM; read -r _; exec rm -rf -- \"$1\"";

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
        let folder = directory.path().as_os_str();
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

/// Starts a shell in a group of its own, with `argument` as `$1`, that reads from a pipe.
fn wait_on_pipe(
    script: &str,
    argument: &OsStr,
    stdout: Stdio,
) -> Result<(Child, PipeWriter), Error> {
    let (reader, writer) = pipe().map_err(Error::system("make a pipe"))?;
    let child = Command::new("/bin/sh")
        .args(["-c", script, "test-cluster"])
        .arg(argument)
        .current_dir("/")
        .process_group(0)
        .stdin(reader)
        .stdout(stdout)
        .stderr(Stdio::null())
        .spawn()
        .map_err(|source| Error::Spawn {
            program: "/bin/sh".into(),
            source,
        })?;
    Ok((child, writer))
}
