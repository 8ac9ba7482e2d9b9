//! `crd install` creates, updates, leaves alone and refuses.

use serde_json::json;

use super::{NAME, api, tamper};
use crate::sandbox::Sandbox;

async fn installs(sandbox: &Sandbox, arguments: &[&str], word: &str) {
    let arguments: Vec<&str> = ["crd", "install"]
        .into_iter()
        .chain(arguments.iter().copied())
        .collect();
    let ran = sandbox.run(&arguments).await.succeeded();
    let expected = format!("customresourcedefinition.apiextensions.k8s.io/{NAME} {word}\n");
    assert_eq!((ran.stdout, ran.stderr), (expected, String::new()));
}

async fn resource_version(sandbox: &Sandbox) -> Option<String> {
    let definition = api(sandbox).get(NAME).await.expect("installed");
    definition.metadata.resource_version
}

#[tokio::test]
async fn what_is_there_decides() {
    let sandbox = Sandbox::alone("crd-decides").await;
    sandbox
        .run(&["crd", "uninstall", "--yes"])
        .await
        .succeeded();
    installs(&sandbox, &["--dry-run"], "created (dry run)").await;
    installs(&sandbox, &["--dry-run=server"], "created (server dry run)").await;
    sandbox
        .run(&["crd", "install", "--check"])
        .await
        .failed_with(1)
        .prints("not installed; run: kubectl copyrator crd install");
    installs(&sandbox, &[], "created").await;
    // It is served by now.
    sandbox.run(&["sync"]).await.succeeded();
    let before = resource_version(&sandbox).await;
    installs(&sandbox, &[], "unchanged").await;
    installs(&sandbox, &["--dry-run"], "unchanged (dry run)").await;
    assert_eq!(resource_version(&sandbox).await, before);
}

#[tokio::test]
async fn a_definition_that_was_edited_is_made_right_again() {
    let sandbox = Sandbox::alone("crd-edited").await;
    tamper(
        &sandbox,
        json!({"spec": {"names": {"shortNames": ["other"]}}, "metadata": {"labels": {"theirs": "kept"}}}),
    )
    .await;
    installs(&sandbox, &["--dry-run"], "configured (dry run)").await;
    installs(
        &sandbox,
        &["--dry-run=server"],
        "configured (server dry run)",
    )
    .await;
    installs(&sandbox, &[], "configured").await;
    let definition = api(&sandbox).get(NAME).await.expect("installed");
    assert_eq!(
        definition.spec.names.short_names,
        Some(vec!["copyr".to_owned()])
    );
    assert_eq!(
        definition.metadata.labels.unwrap_or_default()["theirs"],
        "kept"
    );
    tamper(&sandbox, json!({"metadata": {"labels": {"theirs": null}}})).await;
}

#[tokio::test]
async fn older_ones_are_updated_and_newer_ones_kept() {
    let sandbox = Sandbox::alone("crd-revisions").await;
    let revision =
        |text: &str| json!({"metadata": {"annotations": {"copyrator.dev/schema-revision": text}}});
    tamper(&sandbox, revision("0")).await;
    sandbox
        .run(&["crd", "install", "--check"])
        .await
        .failed_with(1)
        .prints("outdated: schema revision 0");
    installs(&sandbox, &[], "configured").await;
    tamper(&sandbox, revision("4000000")).await;
    sandbox
        .run(&["crd", "install", "--check"])
        .await
        .succeeded();
    sandbox
        .run(&["crd", "install"])
        .await
        .failed_with(1)
        .says("is installed with schema revision 4000000, which is newer than this program's");
    installs(&sandbox, &["--force"], "configured").await;
}

#[tokio::test]
async fn somebody_elses_definition_is_only_replaced_by_force() {
    let sandbox = Sandbox::alone("crd-foreign").await;
    tamper(
        &sandbox,
        json!({"metadata": {"labels": {"app.kubernetes.io/managed-by": null}}}),
    )
    .await;
    for arguments in [&["crd", "install"][..], &["crd", "uninstall", "--yes"]] {
        let ran = sandbox.run(arguments).await.failed_with(1);
        let _ = ran.says("exists but isn't marked as ours");
    }
    sandbox
        .run(&["crd", "install", "--check"])
        .await
        .failed_with(1)
        .prints("not ours");
    installs(&sandbox, &["--force"], "configured").await;
}
