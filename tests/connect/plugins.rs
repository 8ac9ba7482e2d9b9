//! Credential plugins that are really run.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use kubectl_copyrator::cluster::connect;
use test_cluster::TestCluster;

use super::identity::{Written, name, trust, written};

/// A kubeconfig whose user asks a shell script next to it.
fn with_script(script: &str) -> Written {
    let written = written(
        &trust(),
        "exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin, interactiveMode: \
         IfAvailable, installHint: get it somewhere}",
    );
    let path = written.folder.path().join("plugin");
    fs::write(&path, format!("#!/bin/sh\n{script}")).expect("the script is written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).expect("it may be run");
    written
}

fn credential(token: &str, more: &str) -> String {
    let status = format!(r#"{{"token":"{token}"{more}}}"#);
    let version = r#""apiVersion":"client.authentication.k8s.io/v1""#;
    format!(r#"echo '{{{version},"kind":"ExecCredential","status":{status}}}'"#)
}

fn lines(path: &Path) -> usize {
    fs::read_to_string(path).unwrap_or_default().lines().count()
}

async fn refused(written: &Written) -> String {
    let error = connect(&written.options).await.err().expect("an error");
    let folder = written.folder.path().to_string_lossy().into_owned();
    error.to_string().replace(&folder, "FOLDER")
}

#[tokio::test]
async fn a_token_from_a_plugin_that_runs_once() {
    let token = TestCluster::shared().stranger_token();
    let written = with_script(&format!(
        "echo run >>\"$(dirname \"$0\")/runs\"\n{}",
        credential(token, "")
    ));
    assert_eq!(name(&written.options).await, "token-stranger");
    assert_eq!(lines(&written.folder.path().join("runs")), 1);
}

#[tokio::test]
async fn a_token_that_has_expired_is_renewed() {
    let token = TestCluster::shared().stranger_token();
    let expired = r#","expirationTimestamp":"2020-01-01T00:00:00Z""#;
    let written = with_script(&credential(token, expired));
    assert_eq!(name(&written.options).await, "token-stranger");
}

#[tokio::test]
async fn a_token_that_was_refused_is_replaced_for_the_next_request() {
    let written = with_script("cd \"$(dirname \"$0\")\"\necho run >>runs\n. ./credential\n");
    let folder = written.folder.path();
    let write = |token: &str| {
        fs::write(folder.join("credential"), credential(token, "")).expect("it is written");
    };
    write("wrong");
    let client = connect(&written.options)
        .await
        .expect("a connection")
        .client;
    assert!(client.apiserver_version().await.is_err());
    write(TestCluster::shared().stranger_token());
    client
        .apiserver_version()
        .await
        .expect("the new token is accepted");
    write("never asked for");
    client
        .apiserver_version()
        .await
        .expect("the new token stays");
    assert_eq!(lines(&folder.join("runs")), 2);
}

#[tokio::test]
async fn a_client_certificate_from_a_plugin() {
    let cluster = TestCluster::shared();
    let certificate = cluster.client_certificate_path();
    let key = cluster.client_key_path();
    let escaped = |path: &Path| {
        let text = fs::read_to_string(path).expect("a PEM file");
        text.replace('\n', "\\n")
    };
    let status = format!(
        r#"{{"clientCertificateData":"{}","clientKeyData":"{}"}}"#,
        escaped(&certificate),
        escaped(&key)
    );
    let written = with_script(&format!(
        "echo run >>\"$(dirname \"$0\")/runs\"\ncat <<'END'\n{{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",\"status\":{status}}}\nEND\n"
    ));
    assert_eq!(
        name(&written.options).await,
        name(&super::identity::admin()).await
    );
    assert_eq!(lines(&written.folder.path().join("runs")), 1);
}

#[tokio::test]
async fn a_plugin_that_is_not_installed() {
    let written = with_script("");
    fs::remove_file(written.folder.path().join("plugin")).expect("it was there");
    insta::assert_snapshot!(refused(&written).await, @r#"the credential plugin "FOLDER/./plugin" is not installed
get it somewhere"#);
}

#[tokio::test]
async fn a_plugin_that_fails_says_why_but_not_what_it_was_given() {
    let written = with_script("echo hunter2\necho 'no session' >&2\nexit 3\n");
    insta::assert_snapshot!(refused(&written).await, @r#"the credential plugin "FOLDER/./plugin" failed (exit status: 3)
get it somewhere"#);
}

#[tokio::test]
async fn a_plugin_that_prints_nonsense() {
    let written = with_script("echo hunter2\n");
    insta::assert_snapshot!(refused(&written).await, @r#"the credential plugin "FOLDER/./plugin" printed no ExecCredential
get it somewhere"#);
}
