//! The binary `test-cluster`.

use std::process::{Command, Output};

use rustix::process::Signal;

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
