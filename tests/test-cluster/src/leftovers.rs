//! Removes what crashed runs left behind.
//!
//! It takes a lot for something to be left: the owner and the janitor (see `lifeline`) must both
//! have been killed. Processes are killed only when they are certainly ours: one of our components,
//! or the `unshare` of a node, by name, with the leftover folder among its arguments. They are held by a pidfd while that is
//! checked, so the number can't pass to a stranger in between.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::{Pid, PidfdFlags, Signal, geteuid, pidfd_open, pidfd_send_signal};

use crate::components::COMPONENTS;
use crate::directory::{PREFIX, try_lock};
use crate::error::Error;
use crate::lifeline;

/// Holds the namespaces of a node or of the nodes' network, which end with it.
const UNSHARE: &str = "unshare";

const KILL_DEADLINE: Duration = Duration::from_secs(5);

/// Removes all leftovers under `parent`. What can't be removed is left for the next time: it must
/// not keep a cluster from starting.
pub(crate) fn sweep(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        if entry.file_name().as_bytes().starts_with(PREFIX.as_bytes()) {
            let _ = clear(&entry.path());
        }
    }
}

/// Removes one leftover folder. False if it is in use, or not this user's.
pub(crate) fn clear(folder: &Path) -> Result<bool, Error> {
    let metadata = fs::symlink_metadata(folder).map_err(Error::file("find", folder))?;
    if !metadata.is_dir() || metadata.uid() != geteuid().as_raw() {
        return Ok(false);
    }
    let Some(_lock) = try_lock(folder)? else {
        return Ok(false);
    };
    kill_survivors(folder);
    lifeline::remove(folder)?;
    if folder.exists() {
        return Err(Error::DirectoryRemains(folder.to_owned()));
    }
    Ok(true)
}

fn kill_survivors(folder: &Path) {
    let deadline = Instant::now() + KILL_DEADLINE;
    loop {
        let killed = processes()
            .filter(|process| kill_if_ours(*process, folder))
            .count();
        if killed == 0 || Instant::now() > deadline {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn processes() -> impl Iterator<Item = Pid> {
    fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(Pid::from_raw)
}

fn kill_if_ours(process: Pid, folder: &Path) -> bool {
    let Ok(handle) = pidfd_open(process, PidfdFlags::empty()) else {
        return false;
    };
    let command_line = format!("/proc/{}/cmdline", process.as_raw_pid());
    let ours = fs::read(command_line).is_ok_and(|arguments| is_ours(&arguments, folder));
    ours && pidfd_send_signal(handle, Signal::KILL).is_ok()
}

/// Whether a command line, as `/proc` gives it, is that of a component that works in `folder`.
fn is_ours(command_line: &[u8], folder: &Path) -> bool {
    let mut arguments = command_line.split(|byte| *byte == 0);
    let program = arguments
        .next()
        .unwrap_or_default()
        .rsplit(|byte| *byte == b'/')
        .next();
    let is_component = COMPONENTS
        .iter()
        .map(|component| component.name)
        .chain([UNSHARE])
        .any(|name| program == Some(name.as_bytes()));
    let folder = folder.join("");
    let folder = folder.as_os_str().as_bytes();
    is_component
        && arguments.any(|argument| argument.windows(folder.len()).any(|part| part == folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ours(command_line: &str) -> bool {
        is_ours(
            command_line.replace(' ', "\0").as_bytes(),
            Path::new("/clusters/cluster-1"),
        )
    }

    #[test]
    fn a_component_that_works_in_the_folder_is_ours() {
        assert!(ours(
            "/cache/bin/etcd --name=a --data-dir=/clusters/cluster-1/etcd"
        ));
        assert!(ours(
            "kube-apiserver --token-auth-file /clusters/cluster-1/tokens.csv"
        ));
    }

    #[test]
    fn a_holder_of_namespaces_is_ours() {
        assert!(ours("unshare --net sh -c x network /clusters/cluster-1/"));
        assert!(ours("unshare --pid sh /clusters/cluster-1/node-1/boot.sh"));
        assert!(!ours("unshare --pid sh /clusters/boot.sh"));
    }

    #[test]
    fn everything_else_is_not() {
        assert!(
            !ours("/cache/bin/etcd --data-dir=/clusters/cluster-12/etcd"),
            "another folder"
        );
        assert!(
            !ours("/cache/bin/etcd --data-dir=/var/lib/etcd"),
            "somebody's etcd"
        );
        assert!(
            !ours("less /clusters/cluster-1/etcd.log"),
            "somebody reads a log"
        );
        assert!(!ours(""), "a kernel thread or a zombie");
    }
}
