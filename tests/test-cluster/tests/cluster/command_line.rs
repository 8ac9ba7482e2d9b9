//! The binary `test-cluster`.

use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Output};

use rustix::process::{Signal, geteuid};

use crate::owner::{Owner, test_cluster};
use crate::traces::{ports_of, processes_in, wait_until_gone};

fn run(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command: Command = test_cluster(&std::env::temp_dir(), arguments);
    command
        .envs(variables.iter().copied())
        .output()
        .expect("a run of test-cluster")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stops_cleanly_on(signal: Signal) {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let folder = temporary.path().join("named");
    let name = folder.to_str().expect("UTF-8");
    let (mut owner, kubeconfig) = Owner::up(temporary.path(), &["--dir", name]);
    assert_eq!(kubeconfig, folder.join("kubeconfig"));
    let taken = run(&["up", "--dir", name], &[]);
    assert!(
        stderr(&taken).contains("belongs to a cluster that is running"),
        "{}",
        stderr(&taken)
    );
    let ports = ports_of(&processes_in(&folder));
    owner.signal(signal);
    assert!(owner.wait().success());
    assert!(!folder.exists());
    wait_until_gone(&folder, &ports);
}

#[test]
fn ctrl_c_stops_it_cleanly() {
    stops_cleanly_on(Signal::INT);
}

#[test]
fn sigterm_stops_it_cleanly() {
    stops_cleanly_on(Signal::TERM);
}

#[test]
fn a_closed_terminal_stops_it_cleanly() {
    stops_cleanly_on(Signal::HUP);
}

#[test]
fn a_folder_of_binaries_that_lacks_one_is_a_clear_error() {
    let assets = tempfile::tempdir().expect("a temporary folder");
    let folder = assets.path().to_str().expect("UTF-8");
    let output = run(&["up"], &[("KUBEBUILDER_ASSETS", folder)]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let message = stderr(&output);
    assert!(
        message.contains(&format!("{folder}, which has no executable etcd")),
        "{message}"
    );
}

#[test]
fn a_missing_go_is_a_clear_error() {
    let cache = tempfile::tempdir().expect("a temporary folder");
    let folder = cache.path().to_str().expect("UTF-8");
    let variables = [
        ("XDG_CACHE_HOME", folder),
        ("PATH", "/nowhere"),
        ("KUBEBUILDER_ASSETS", ""),
    ];
    let message = stderr(&run(&["build"], &variables));
    assert!(
        message.contains("there is no `go` command in PATH; install Go 1."),
        "{message}"
    );
}

#[test]
fn help_has_examples() {
    let output = run(&["--help"], &[]);
    assert!(output.status.success());
    let help = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(help.contains("cargo run -p test-cluster -- up"), "{help}");
}

#[test]
fn nine_nodes_are_refused() {
    let output = run(&["up", "--nodes", "9"], &[]);
    assert_eq!(output.status.code(), Some(1));
    let message = stderr(&output);
    assert!(message.contains("a cluster has 8 at most"), "{message}");
}

/// The binary itself may be where only root gets at it.
#[test]
fn nodes_need_root_and_say_so() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let open = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder.path(), open).expect("an open folder");
    let binary = folder.path().join("test-cluster");
    std::fs::copy(env!("CARGO_BIN_EXE_test-cluster"), &binary).expect("a copy");
    let mut command = Command::new(&binary);
    command.args(["up", "--nodes", "1"]).current_dir("/");
    if geteuid().is_root() {
        command.uid(65534);
    }
    let output = command.output().expect("a run of test-cluster");
    assert_eq!(output.status.code(), Some(1));
    let message = stderr(&output);
    assert!(message.contains("error: real nodes need root"), "{message}");
    assert!(message.contains("TEST_CLUSTER_NODES=0"), "{message}");
}
