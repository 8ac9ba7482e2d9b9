//! `spec.metadata`: labels and annotations that copies take over from their original.

use kube::ResourceExt;
use serde_json::{Value, json};

use crate::sandbox::{Sandbox, annotation, label};

const CARRYING: &str = "metadata: {labels: [team, \"app.*\"], annotations: [\"example.com/*\"]}";

/// A source with labels and annotations, and a copy by a rule that takes some of them over.
async fn copied(prefix: &str) -> (Sandbox, String) {
    let sandbox = Sandbox::new(prefix).await;
    sandbox.namespaces(&["source", "team-a"]).await;
    sandbox.create_regcred("x").await;
    let metadata = json!({
        "labels": {"team": "a", "app.kubernetes.io/name": "web", "tier": "private"},
        "annotations": {"example.com/owner": "me, \"too\"", "note": "private"},
    });
    relabel(&sandbox, "source", metadata).await;
    let rule = sandbox.rule_and(CARRYING);
    sandbox.sync(&rule).await.succeeded().says("1 created");
    (sandbox, rule)
}

async fn relabel(sandbox: &Sandbox, namespace: &str, metadata: Value) {
    let patch = json!({"metadata": metadata});
    sandbox
        .patch_secret(namespace, "regcred", "somebody", patch)
        .await;
}

/// The labels or annotations of the copy that aren't marks.
fn foreign(map: &std::collections::BTreeMap<String, String>) -> Vec<&str> {
    let is_mark =
        |key: &str| key.starts_with("copyrator.dev/") || key == "app.kubernetes.io/managed-by";
    map.keys()
        .map(String::as_str)
        .filter(|key| !is_mark(key))
        .collect()
}

#[tokio::test]
async fn what_is_named_is_taken_over_and_nothing_else() {
    let (sandbox, rule) = copied("carried").await;
    let copy = sandbox.regcred("team-a").await;
    assert_eq!(foreign(copy.labels()), ["app.kubernetes.io/name", "team"]);
    assert_eq!(foreign(copy.annotations()), ["example.com/owner"]);
    assert_eq!(label(&copy, "team"), Some("a"));
    assert_eq!(annotation(&copy, "example.com/owner"), Some("me, \"too\""));
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn what_ties_an_original_to_its_tool_is_never_taken_over() {
    let sandbox = Sandbox::new("carried-tied").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    sandbox.create_regcred("x").await;
    let metadata = json!({
        "labels": {
            "app.kubernetes.io/managed-by": "Helm", "app.kubernetes.io/instance": "app",
            "argocd.argoproj.io/instance": "app", "kustomize.toolkit.fluxcd.io/name": "app",
            "copyrator.dev/set": "theirs", "free": "yes",
        },
        "annotations": {
            "kubectl.kubernetes.io/last-applied-configuration": "{\"data\":\"hunter2\"}",
            "argocd.argoproj.io/tracking-id": "app", "meta.helm.sh/release-name": "app",
            "free": "yes",
        },
    });
    relabel(&sandbox, "source", metadata).await;
    let rule = sandbox.rule_and("metadata: {labels: [\"*\"], annotations: [\"*\"]}");
    sandbox.sync(&rule).await.succeeded();
    let copy = sandbox.regcred("team-a").await;
    assert_eq!(foreign(copy.labels()), ["free"]);
    assert_eq!(foreign(copy.annotations()), ["free"]);
    assert_eq!(label(&copy, "copyrator.dev/set"), Some("files"));
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn a_label_that_changes_at_the_source_changes_on_the_copy() {
    let (sandbox, rule) = copied("carried-changed").await;
    let before = sandbox.regcred("team-a").await;
    let metadata = json!({"labels": {"team": "b", "app.new": "x", "app.kubernetes.io/name": null}});
    relabel(&sandbox, "source", metadata).await;
    let ran = sandbox
        .run_on(&["sync", "-o", "wide"], &rule)
        .await
        .succeeded();
    ran.prints("reason=MetadataChanged");
    let copy = sandbox.regcred("team-a").await;
    assert_eq!(foreign(copy.labels()), ["app.new", "team"]);
    assert_eq!(label(&copy, "team"), Some("b"));
    assert_eq!(copy.uid(), before.uid());
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn what_is_not_named_any_more_is_taken_off() {
    let (sandbox, rule) = copied("carried-narrowed").await;
    let less = rule.replace(CARRYING, "metadata: {labels: [team]}");
    sandbox.sync(&less).await.succeeded().says("1 configured");
    let copy = sandbox.regcred("team-a").await;
    assert_eq!(foreign(copy.labels()), ["team"]);
    assert_eq!(foreign(copy.annotations()), [""; 0]);
    sandbox.is_in_step(&less).await;
    sandbox
        .sync(&sandbox.rule())
        .await
        .succeeded()
        .says("1 configured");
    let copy = sandbox.regcred("team-a").await;
    assert_eq!(foreign(copy.labels()), [""; 0]);
    assert_eq!(annotation(&copy, "copyrator.dev/carried"), None);
    sandbox.is_in_step(&sandbox.rule()).await;
}

#[tokio::test]
async fn what_people_put_on_the_copy_stays() {
    let (sandbox, rule) = copied("carried-theirs").await;
    let metadata = json!({"labels": {"tier": "theirs"}, "annotations": {"note": "theirs"}});
    relabel(&sandbox, "team-a", metadata).await;
    sandbox.is_in_step(&rule).await;
    sandbox.rotate_regcred("rotated").await;
    sandbox.sync(&rule).await.succeeded().says("1 configured");
    sandbox
        .sync(&sandbox.rule())
        .await
        .succeeded()
        .says("1 configured");
    let copy = sandbox.regcred("team-a").await;
    assert_eq!(label(&copy, "tier"), Some("theirs"));
    assert_eq!(annotation(&copy, "note"), Some("theirs"));
    assert_eq!(foreign(copy.labels()), ["tier"]);
}

#[tokio::test]
async fn an_edit_of_what_was_taken_over_is_healed() {
    let (sandbox, rule) = copied("carried-healed").await;
    for metadata in [
        json!({"labels": {"team": "edited"}}),
        json!({"labels": {"team": null}}),
        json!({"annotations": {"example.com/owner": null}}),
        json!({"annotations": {"copyrator.dev/carried": null}}),
        json!({"annotations": {"copyrator.dev/carried": "{"}}),
        json!({"annotations": {"copyrator.dev/carried": "{\"labels\":[\"a b\"]}"}}),
    ] {
        relabel(&sandbox, "team-a", metadata.clone()).await;
        let ran = sandbox
            .run_on(&["sync", "-o", "wide"], &rule)
            .await
            .succeeded();
        ran.prints("reason=MetadataChanged");
        let copy = sandbox.regcred("team-a").await;
        assert_eq!(label(&copy, "team"), Some("a"), "{metadata}");
        assert_eq!(annotation(&copy, "example.com/owner"), Some("me, \"too\""));
        sandbox.is_in_step(&rule).await;
    }
}

#[tokio::test]
async fn rehearsals_tell_changed_labels_and_change_nothing() {
    let (sandbox, rule) = copied("carried-tried").await;
    relabel(&sandbox, "source", json!({"labels": {"team": "b"}})).await;
    let before = sandbox.regcred("team-a").await;
    for dry_run in ["--dry-run", "--dry-run=server"] {
        let ran = sandbox.run_on(&["sync", dry_run], &rule).await;
        ran.succeeded().says("1 configured");
    }
    let ran = sandbox.run_on(&["diff"], &rule).await.failed_with(1);
    ran.prints("-    team: a").prints("+    team: b");
    assert_eq!(sandbox.regcred("team-a").await, before);
}

#[tokio::test]
async fn a_replaced_copy_has_them_again() {
    let (sandbox, rule) = copied("carried-anew").await;
    sandbox.freeze_regcred("team-a").await;
    sandbox.rotate_regcred("rotated").await;
    sandbox.sync(&rule).await.succeeded().says("1 replaced");
    assert_eq!(label(&sandbox.regcred("team-a").await, "team"), Some("a"));
    sandbox.is_in_step(&rule).await;
}
