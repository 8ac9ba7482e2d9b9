//! What clusters with nodes leave behind: nothing, however they end.

use std::path::{Path, PathBuf};

use rustix::process::Signal;
use test_cluster::nodes_for_tests;

use crate::owner::Owner;
use crate::traces::{
    NodeTraces, Process, cluster_folders, eventually, mounts_in, ports_of, processes_in,
    wait_until_gone,
};

/// A cluster of another process, with a pod on its node.
struct Inhabited {
    owner: Owner,
    folder: PathBuf,
    traces: NodeTraces,
}

impl Inhabited {
    fn start(temporary: &Path, nodes: &str) -> Self {
        let (owner, kubeconfig) = Owner::up(temporary, &["--nodes", nodes]);
        let folder = kubeconfig.parent().expect("a folder").to_owned();
        let traces = NodeTraces::of(&folder);
        let (groups, links) = traces.count();
        assert!(groups > 0, "{traces:?}");
        assert_eq!(links, 1, "{traces:?}");
        Self {
            owner,
            folder,
            traces,
        }
    }

    fn is_gone(&self) {
        wait_until_gone(&self.folder, &[]);
        self.traces.wait_until_gone();
        assert_eq!(mounts_in(&self.folder), [""; 0]);
    }

    /// Kubectl's answer.
    fn kubectl(&self, arguments: &[&str]) -> String {
        let kubectl = processes_in(&self.folder)
            .into_iter()
            .find(|process| process.program() == "kube-apiserver")
            .map(|process| PathBuf::from(&process.arguments[0]).with_file_name("kubectl"));
        let output = std::process::Command::new(kubectl.expect("an API server"))
            .arg(format!("--kubeconfig={}/kubeconfig", self.folder.display()))
            .args(arguments)
            .output()
            .expect("a run of kubectl");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// Has a pod run, which is a process beside those of the node.
    fn settle(&self) {
        let image = "--image=busybox:test-cluster";
        self.kubectl(&["run", "settler", image]);
        let ready = ["wait", "--for=condition=Ready", "pod/settler"];
        self.kubectl(&[&ready[..], &["--timeout=60s"]].concat());
    }
}

#[test]
fn ctrl_c_leaves_nothing_of_two_nodes() {
    if nodes_for_tests().is_none() {
        return;
    }
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let mut cluster = Inhabited::start(temporary.path(), "2");
    let names = cluster.kubectl(&["get", "nodes", "--output=name"]);
    assert_eq!(names, "node/node-1\nnode/node-2\n");
    cluster.settle();
    cluster.owner.signal(Signal::INT);
    assert!(cluster.owner.wait().success());
    assert!(!cluster.folder.exists());
    cluster.is_gone();
}

#[test]
fn a_killed_owner_leaves_nothing_of_its_node_and_nothing_happens_to_another_s() {
    if nodes_for_tests().is_none() {
        return;
    }
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let mut first = Inhabited::start(temporary.path(), "1");
    let second = Inhabited::start(temporary.path(), "1");
    first.settle();
    first.owner.kill();
    first.is_gone();
    second.settle();
}

#[test]
fn what_even_the_janitor_left_of_a_node_is_removed_by_the_next_start() {
    if nodes_for_tests().is_none() {
        return;
    }
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let mut cluster = Inhabited::start(temporary.path(), "1");
    cluster.settle();
    let is_shell = |process: &Process| {
        process.program() == "sh"
            && process
                .arguments
                .get(3)
                .is_some_and(|name| name == "test-cluster")
    };
    let shells = processes_in(&cluster.folder).into_iter().filter(is_shell);
    let killed = shells.inspect(Process::kill).count();
    assert_eq!(killed, 2, "an anchor and a janitor");
    cluster.owner.kill();
    let left = processes_in(&cluster.folder);
    assert!(
        left.iter().any(|process| process.program() == "kubelet"),
        "{left:?}"
    );
    let mut next = Owner::begin(temporary.path(), &[]);
    wait_until_gone(&cluster.folder, &ports_of(&left));
    cluster.is_gone();
    next.kill();
    eventually("the end of the next", || {
        cluster_folders(temporary.path()).is_empty()
    });
}
