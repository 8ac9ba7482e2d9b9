//! The help of every command.

use insta::assert_snapshot;

use super::nowhere::run;

/// The help, without the spaces that clap leaves on empty lines.
async fn help(arguments: &[&str]) -> String {
    let ran = run(arguments).await.succeeded();
    assert_eq!(ran.stderr, "");
    let lines: Vec<&str> = ran.stdout.lines().map(str::trim_end).collect();
    lines.join("\n")
}

#[tokio::test]
async fn every_command_has_short_help() {
    for command in [
        "",
        "sync",
        "diff",
        "prune",
        "crd",
        "crd install",
        "crd uninstall",
        "crd print",
        "rates",
        "rates get",
        "rates chart",
        "rates create",
        "deploy",
        "rbac",
        "controller",
        "controller run",
    ] {
        let words: Vec<&str> = command.split_whitespace().chain(["-h"]).collect();
        let name = format!("short help {command}").trim_end().replace(' ', "_");
        assert_snapshot!(name, help(&words).await);
    }
}

#[tokio::test]
async fn every_command_has_long_help() {
    for command in [
        "",
        "sync",
        "diff",
        "prune",
        "crd install",
        "crd uninstall",
        "crd print",
        "rates get",
        "rates chart",
        "deploy",
        "rbac",
        "controller run",
    ] {
        let words: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        let text = help(&words).await;
        assert!(text.contains("Examples:\n"), "{text}");
        for flag in [
            "--as-user-extra <KEY=VALUE>",
            "--request-timeout <DURATION>",
            "-v, --v <LEVEL>",
        ] {
            assert!(text.contains(flag), "{flag} in {text}");
        }
    }
    assert_snapshot!("long_help_sync", help(&["sync", "--help"]).await);
    assert_snapshot!("long_help_prune", help(&["prune", "--help"]).await);
}

#[tokio::test]
async fn a_command_that_only_groups_others_shows_its_help() {
    assert_eq!(help(&[]).await, help(&["-h"]).await);
    for group in ["crd", "rates"] {
        assert_eq!(help(&[group]).await, help(&[group, "-h"]).await);
    }
}

#[tokio::test]
async fn the_version_is_told() {
    let ran = run(&["--version"]).await.succeeded();
    assert_eq!(
        ran.stdout,
        concat!("kubectl-copyrator ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

#[tokio::test]
async fn the_definitions_are_printed_without_a_cluster() {
    let yaml = run(&["crd", "print"]).await.succeeded();
    assert!(
        yaml.stdout
            .starts_with("apiVersion: apiextensions.k8s.io/v1\nkind: "),
        "{yaml:?}"
    );
    let json = run(&["crd", "print", "-o", "json"]).await.succeeded();
    assert!(
        json.stdout.starts_with("{\n    \"apiVersion\": "),
        "{json:?}"
    );
}
