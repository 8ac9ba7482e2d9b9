//! Waiting for the cluster, and its ends: time, Ctrl-C, and somebody else's deletion.

use std::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::command::{LINE, OTHER_LINE, crd, eventually};
use crate::sandbox::Sandbox;

/// The definition, with a rule that can't be deleted yet.
async fn held(prefix: &str) -> Sandbox {
    let sandbox = Sandbox::blank(prefix).await;
    sandbox.crd("install").await;
    sandbox.apply_rule(&sandbox.rule()).await;
    sandbox.hold_rule("rule", true).await;
    sandbox
}

#[tokio::test]
async fn a_deletion_that_takes_too_long_is_told_of() {
    let sandbox = held("crd-too-long").await;
    let ended = sandbox.crd("uninstall --yes --timeout=2s").await;
    let unwaited = sandbox.crd("uninstall --yes --wait=false").await;
    let checked = sandbox.crd("install --check").await;
    let installed = sandbox.crd("install --timeout=0").await;
    sandbox.hold_rule("rule", false).await;
    assert!(!ended.succeeded && unwaited.succeeded, "{ended:#?}");
    ended
        .says(&format!("Waiting for {LINE} to be gone...\n"))
        .says(&format!(
            "error: waited 2s for {LINE} to be gone, in vain: "
        ))
        .says("; its deletion has begun, and goes on");
    checked.fails(&format!(
        "{LINE} is being deleted; {OTHER_LINE} is missing; run: "
    ));
    installed.fails_after(
        &[format!("{OTHER_LINE} created")],
        &format!("waited 0s for the deletion of {LINE} that somebody began"),
    );
}

#[tokio::test]
async fn an_install_waits_for_a_deletion_to_end() {
    let sandbox = held("crd-again").await;
    sandbox.crd("uninstall --yes --wait=false").await;
    let (installed, ()) = tokio::join!(sandbox.crd("install"), async {
        sleep(Duration::from_millis(1500)).await;
        sandbox.hold_rule("rule", false).await;
    });
    installed
        .prints(&[&format!("{LINE} created"), &format!("{OTHER_LINE} created")])
        .says(&format!(
            "Waiting for the deletion of {LINE} that somebody began..."
        ));
}

#[tokio::test]
async fn ctrl_c_ends_the_wait_and_says_what_was_done() {
    let sandbox = held("crd-interrupted").await;
    let cancellation = CancellationToken::new();
    let uninstall = crd(&sandbox.client, "uninstall --yes", &cancellation);
    let (ended, ()) = tokio::join!(uninstall, async {
        eventually("the deletion begins", async || {
            let definition = sandbox.definition().await.expect("the rule holds it");
            definition["metadata"]["deletionTimestamp"].is_string()
        })
        .await;
        cancellation.cancel();
    });
    sandbox.hold_rule("rule", false).await;
    assert!(!ended.succeeded, "{ended:#?}");
    ended.says(&format!(
        "error: interrupted while waiting for {LINE} to be gone; its deletion has begun, and goes on"
    ));
}

#[tokio::test]
async fn ctrl_c_before_the_first_write_changes_nothing() {
    let sandbox = Sandbox::blank("crd-too-early").await;
    let cancellation = CancellationToken::new();
    cancellation.cancel();
    let ended = crd(&sandbox.client, "install", &cancellation).await;
    ended.fails(&format!(
        "interrupted while reading {LINE}; it was not changed"
    ));
    assert_eq!(sandbox.definition().await, None);
}
