//! Clusters whose owner ends without stopping them.

use std::process::{Command, Stdio};

use crate::owner::{Owner, wait_for_component};
use crate::traces::{
    Process, cluster_folders, eventually, ports_of, processes_in, wait_until_gone,
};

#[test]
fn a_killed_owner_leaves_nothing() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let (mut owner, kubeconfig) = Owner::up(temporary.path(), &[]);
    let folder = kubeconfig.parent().expect("a folder");
    let ports = ports_of(&processes_in(folder));
    assert_eq!(ports.len(), 3);
    owner.kill();
    wait_until_gone(folder, &ports);
    assert!(cluster_folders(temporary.path()).is_empty());
}

#[test]
fn an_owner_killed_while_it_starts_leaves_nothing() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let mut owner = Owner::begin(temporary.path(), &[]);
    let folder = wait_for_component(temporary.path(), "etcd");
    owner.kill();
    wait_until_gone(&folder, &[]);
}

/// Nobody drops the statics of a test binary: this one is run once more to see what comes of it.
#[test]
fn a_test_binary_with_a_shared_cluster_leaves_nothing() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let status = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "shared::it_serves_the_version_that_is_pinned"])
        .env("TMPDIR", temporary.path())
        .stdout(Stdio::null())
        .status()
        .expect("a run of this program");
    assert!(status.success());
    eventually("the removal of the folder", || {
        cluster_folders(temporary.path()).is_empty()
    });
    eventually("the end of all processes", || {
        processes_in(temporary.path()).is_empty()
    });
}

#[test]
fn what_even_the_janitor_left_is_removed_by_the_next_start() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let mut owner = Owner::begin(temporary.path(), &[]);
    let folder = wait_for_component(temporary.path(), "kube-apiserver");
    let shells = processes_in(&folder)
        .into_iter()
        .filter(|process| process.program() == "sh");
    let killed = shells.inspect(Process::kill).count();
    assert_eq!(killed, 2, "an anchor and a janitor");
    owner.kill();
    let left = processes_in(&folder);
    assert!(
        left.iter().any(|process| process.program() == "etcd"),
        "{left:?}"
    );
    let mut next = Owner::begin(temporary.path(), &[]);
    wait_until_gone(&folder, &ports_of(&left));
    next.kill();
    eventually("the end of the next", || {
        cluster_folders(temporary.path()).is_empty()
    });
}
