//! Copies that somebody changed: healed if they differ, left alone if they only look as if they did.

use k8s_openapi::api::core::v1::Secret;
use kube::api::{Patch, PatchParams};
use serde_json::json;

use crate::sandbox::{Sandbox, secret};

/// A source and one copy of it.
async fn copied(prefix: &str) -> Sandbox {
    let sandbox = Sandbox::new(prefix).await;
    sandbox.namespaces(&["source", "team-a"]).await;
    sandbox.create_regcred("original").await;
    sandbox.sync(&sandbox.rule()).await.succeeded();
    assert_eq!(
        sandbox.password("team-a").await.as_deref(),
        Some("original")
    );
    sandbox
}

/// Syncs, and asserts that the copy was written and that a second run writes nothing.
async fn heals(sandbox: &Sandbox) {
    sandbox
        .sync(&sandbox.rule())
        .await
        .succeeded()
        .prints("regcred configured");
    assert_eq!(
        sandbox.password("team-a").await.as_deref(),
        Some("original")
    );
    writes_nothing(sandbox).await;
}

/// Syncs, and asserts that the copy was not written.
async fn writes_nothing(sandbox: &Sandbox) {
    let before = sandbox.version("team-a", "regcred").await;
    sandbox.sync(&sandbox.rule()).await.wrote_nothing();
    assert_eq!(sandbox.version("team-a", "regcred").await, before);
}

#[tokio::test]
async fn a_second_run_writes_nothing() {
    writes_nothing(&copied("second-run").await).await;
}

#[tokio::test]
async fn a_changed_source_reaches_its_copies() {
    let sandbox = copied("changed-source").await;
    let patch = json!({"stringData": {"password": "rotated"}});
    sandbox
        .patch_secret("source", "regcred", "admin", patch)
        .await;
    sandbox
        .sync(&sandbox.rule())
        .await
        .succeeded()
        .prints("regcred configured");
    assert_eq!(sandbox.password("team-a").await.as_deref(), Some("rotated"));
    writes_nothing(&sandbox).await;
}

#[tokio::test]
async fn an_edit_by_another_manager_is_healed() {
    let sandbox = copied("edited").await;
    let patch = json!({"stringData": {"password": "edited"}});
    sandbox
        .patch_secret("team-a", "regcred", "somebody", patch)
        .await;
    heals(&sandbox).await;
}

#[tokio::test]
async fn an_added_key_is_removed() {
    let sandbox = copied("added-key").await;
    sandbox
        .patch_secret(
            "team-a",
            "regcred",
            "somebody",
            json!({"stringData": {"more": "x"}}),
        )
        .await;
    heals(&sandbox).await;
    assert_eq!(
        sandbox
            .secret("team-a", "regcred")
            .await
            .unwrap()
            .data
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn a_removed_key_comes_back() {
    let sandbox = copied("removed-key").await;
    sandbox
        .patch_secret(
            "team-a",
            "regcred",
            "somebody",
            json!({"data": {"password": null}}),
        )
        .await;
    heals(&sandbox).await;
}

#[tokio::test]
async fn a_deleted_copy_comes_back() {
    let sandbox = copied("deleted-copy").await;
    sandbox.delete_secret("team-a", "regcred").await;
    sandbox
        .sync(&sandbox.rule())
        .await
        .succeeded()
        .prints("regcred created");
    writes_nothing(&sandbox).await;
}

#[tokio::test]
async fn every_mark_comes_back() {
    let sandbox = copied("lost-marks").await;
    for label in [
        "app.kubernetes.io/managed-by",
        "copyrator.dev/rule",
        "copyrator.dev/set",
    ] {
        let patch = json!({"metadata": {"labels": {label: null}}});
        sandbox
            .patch_secret("team-a", "regcred", "somebody", patch)
            .await;
        heals(&sandbox).await;
    }
    let patch = json!({"metadata": {"labels": null}});
    sandbox
        .patch_secret("team-a", "regcred", "somebody", patch)
        .await;
    heals(&sandbox).await;
    let patch = json!({"metadata": {"annotations": {"copyrator.dev/prune": null}}});
    sandbox
        .patch_secret("team-a", "regcred", "somebody", patch)
        .await;
    heals(&sandbox).await;
}

#[tokio::test]
async fn an_edit_that_was_reverted_needs_no_write() {
    let sandbox = copied("reverted").await;
    for value in ["edited", "original"] {
        let patch = json!({"stringData": {"password": value}});
        sandbox
            .patch_secret("team-a", "regcred", "somebody", patch)
            .await;
    }
    writes_nothing(&sandbox).await;
}

#[tokio::test]
async fn an_apply_with_string_data_needs_no_write_when_equal() {
    let sandbox = copied("string-data").await;
    let manifest = json!({
        "apiVersion": "v1", "kind": "Secret", "metadata": {"name": "regcred"},
        "stringData": {"password": "original"},
    });
    let parameters = PatchParams::apply("gitops").force();
    let secrets = sandbox.api::<Secret>("team-a");
    secrets
        .patch("regcred", &parameters, &Patch::Apply(&manifest))
        .await
        .unwrap();
    writes_nothing(&sandbox).await;
}

#[tokio::test]
async fn eleven_managers_need_no_write_when_equal() {
    let sandbox = copied("many-managers").await;
    for number in 0..12 {
        let value = if number == 11 {
            "original".to_owned()
        } else {
            format!("edit-{number}")
        };
        let patch = json!({
            "stringData": {"password": value},
            "metadata": {"annotations": {format!("example.com/{number}"): "x"}},
        });
        sandbox
            .patch_secret("team-a", "regcred", &format!("manager-{number}"), patch)
            .await;
    }
    writes_nothing(&sandbox).await;
}

#[tokio::test]
async fn stripped_managed_fields_need_no_write() {
    let sandbox = copied("stripped").await;
    let patch = json!({"metadata": {"managedFields": [{}]}});
    sandbox
        .patch_secret("team-a", "regcred", "somebody", patch)
        .await;
    let fields = sandbox
        .secret("team-a", "regcred")
        .await
        .unwrap()
        .metadata
        .managed_fields;
    assert!(fields.unwrap_or_default().is_empty());
    writes_nothing(&sandbox).await;
}

#[tokio::test]
async fn labels_and_annotations_of_others_survive_a_write() {
    let sandbox = copied("foreign-metadata").await;
    let patch = json!({
        "metadata": {
            "labels": {"team": "a"}, "annotations": {"note": "kept"}, "finalizers": ["example.com/hold"],
        },
        "stringData": {"password": "edited"},
    });
    sandbox
        .patch_secret("team-a", "regcred", "somebody", patch)
        .await;
    heals(&sandbox).await;
    let copy = sandbox.secret("team-a", "regcred").await.unwrap().metadata;
    assert_eq!(copy.labels.unwrap()["team"], "a");
    assert_eq!(copy.annotations.unwrap()["note"], "kept");
    assert_eq!(copy.finalizers.unwrap(), ["example.com/hold"]);
    let release = json!({"metadata": {"finalizers": null}});
    sandbox
        .patch_secret("team-a", "regcred", "somebody", release)
        .await;
}

#[tokio::test]
async fn verify_finds_what_metadata_hides() {
    let sandbox = copied("verify").await;
    // An edit under our own name and operation leaves the managed fields as they were.
    let patch = json!({"stringData": {"password": "edited"}});
    sandbox
        .patch_secret("team-a", "regcred", "kubectl-copyrator", patch)
        .await;
    sandbox
        .program(&["sync", "--verify", "-f", "-"])
        .stdin(&sandbox.rule())
        .run()
        .await
        .succeeded()
        .prints("regcred configured");
    assert_eq!(
        sandbox.password("team-a").await.as_deref(),
        Some("original")
    );
}

#[tokio::test]
async fn many_doubtful_copies_are_all_looked_at() {
    let sandbox = Sandbox::new("doubtful").await;
    sandbox.namespaces(&["source"]).await;
    sandbox.create_regcred("original").await;
    let teams: Vec<String> = (0..60).map(|number| format!("team-{number}")).collect();
    let teams: Vec<&str> = teams.iter().map(String::as_str).collect();
    sandbox.namespaces(&teams).await;
    sandbox.sync(&sandbox.rule()).await.succeeded();
    for team in &teams {
        let value = if *team == "team-7" {
            "edited"
        } else {
            "original"
        };
        let patch = json!({"stringData": {"password": value}, "metadata": {"managedFields": [{}]}});
        sandbox
            .patch_secret(team, "regcred", "somebody", patch)
            .await;
    }
    let ran = sandbox.sync(&sandbox.rule()).await.succeeded();
    assert_eq!(
        ran.stdout.matches("regcred configured").count(),
        1,
        "{ran:#?}"
    );
    assert_eq!(
        sandbox.password("team-7").await.as_deref(),
        Some("original")
    );
}

#[tokio::test]
async fn two_syncs_at_once_end_in_step() {
    let sandbox = Sandbox::new("at-once").await;
    sandbox.namespaces(&["source"]).await;
    for number in 0..40 {
        sandbox.namespace(&format!("team-{number}"), &[]).await;
    }
    sandbox
        .create_secret("source", &secret("regcred", &[("password", "original")]))
        .await;
    let rule = sandbox.rule();
    let (left, right) = tokio::join!(sandbox.sync(&rule), sandbox.sync(&rule));
    let created = |stdout: &str| stdout.matches("regcred created").count();
    let (left, right) = (left.succeeded(), right.succeeded());
    assert_eq!(
        created(&left.stdout) + created(&right.stdout),
        40,
        "{left:#?} {right:#?}"
    );
    sandbox.sync(&rule).await.wrote_nothing();
}
