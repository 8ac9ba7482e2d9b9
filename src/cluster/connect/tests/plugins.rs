//! Credential plugins, before they are run.

use kube::config::ExecInteractiveMode;

use super::fixtures::{Place, TWO, options};

fn with_plugin(exec: &str) -> Place {
    Place::with(&TWO.replace(
        "{token: dev-token}",
        &format!("{{exec: {{command: c, {exec}}}}}"),
    ))
}

#[test]
fn a_plugin_never_reads_what_isnt_a_persons_input() {
    let mut place = with_plugin("interactiveMode: IfAvailable");
    let exec = place.config(&options(|_| ())).auth_info.exec.unwrap();
    assert_eq!(exec.interactive_mode, Some(ExecInteractiveMode::Never));
    place.environment.is_interactive = true;
    let exec = place.config(&options(|_| ())).auth_info.exec.unwrap();
    assert_eq!(
        exec.interactive_mode,
        Some(ExecInteractiveMode::IfAvailable)
    );
}

#[test]
fn a_plugin_that_must_ask_needs_somebody_to_ask() {
    let place = with_plugin("interactiveMode: Always, installHint: get it somewhere");
    insta::assert_snapshot!(place.error(&options(|_| ())), @r#"the credential plugin "c" asks questions, but the standard input is not a terminal
get it somewhere"#);
}

#[test]
fn a_plugin_may_ask_about_the_cluster() {
    let place = with_plugin("provideClusterInfo: true");
    let exec = place.config(&options(|_| ())).auth_info.exec.unwrap();
    let server = exec.cluster.unwrap().server;
    assert_eq!(server.as_deref(), Some("https://dev.example:6443"));
}

#[test]
fn a_plugins_relative_path_begins_at_the_kubeconfigs_folder() {
    let place = Place::with(&TWO.replace("{token: dev-token}", "{exec: {command: bin/c}}"));
    let exec = place.config(&options(|_| ())).auth_info.exec.unwrap();
    assert_eq!(exec.command.as_deref(), place.path("bin/c").to_str());
}
