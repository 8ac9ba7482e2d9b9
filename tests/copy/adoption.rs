//! `conflictPolicy: Adopt`: what equals its original is taken over, and given back in the end.

use k8s_openapi::{ByteString, api::core::v1::Secret};
use kube::ResourceExt;
use serde_json::json;

use crate::sandbox::{Sandbox, and, annotation, configmap, label, secret, text};

const MANAGED_BY: &str = "app.kubernetes.io/managed-by";
const ADOPTED: &str = "copyrator.dev/adopted";

/// Helm's own Secret, with labels, annotations and a finalizer of other people's.
fn of_helm(value: &str) -> Secret {
    let metadata = json!({
        "name": "regcred",
        "labels": {MANAGED_BY: "Helm", "team": "a"},
        "annotations": {"note": "kept"},
        "finalizers": ["example.com/hold"],
    });
    let mut object = secret("regcred", &[("password", value)]);
    object.metadata = serde_json::from_value(metadata).expect("metadata");
    object
}

/// A source, and another program's Secret in the place of its copy.
async fn with_place_taken(sandbox: Sandbox, theirs: &Secret) -> Sandbox {
    sandbox.namespaces(&["source", "team-a"]).await;
    sandbox.create_regcred("x").await;
    sandbox.create_secret_as("team-a", "helm", theirs).await;
    sandbox
}

async fn adopted(prefix: &str) -> (Sandbox, String) {
    let sandbox = with_place_taken(Sandbox::new(prefix).await, &of_helm("x")).await;
    let rule = sandbox.rule_and("conflictPolicy: Adopt");
    sandbox.sync(&rule).await.succeeded().says("1 configured");
    (sandbox, rule)
}

/// Asserts that the Secret is Helm's again: with this password and none of our marks.
async fn assert_given_back(sandbox: &Sandbox, password: &str) {
    let released = sandbox.regcred("team-a").await;
    assert_eq!(text(&released, "password").as_deref(), Some(password));
    assert_eq!(label(&released, MANAGED_BY), Some("Helm"));
    assert_eq!(released.labels().len(), 2, "{:?}", released.labels());
    let annotations: Vec<_> = released.annotations().keys().collect();
    assert_eq!(annotations, ["note"]);
}

#[tokio::test]
async fn what_equals_its_original_is_taken_over_as_it_is() {
    let sandbox = with_place_taken(Sandbox::new("adopted").await, &of_helm("x")).await;
    let before = sandbox.regcred("team-a").await;
    let rule = sandbox.rule_and("conflictPolicy: Adopt");
    let ran = sandbox.run_on(&["sync", "-o", "wide"], &rule).await;
    ran.succeeded()
        .prints("regcred configured")
        .prints("reason=Adopted");
    let after = sandbox.regcred("team-a").await;
    assert_eq!((after.uid(), &after.data), (before.uid(), &before.data));
    assert_eq!(label(&after, MANAGED_BY), Some("kubectl-copyrator"));
    assert_eq!(
        label(&after, "copyrator.dev/rule"),
        Some(&*sandbox.name("rule"))
    );
    assert_eq!(annotation(&after, ADOPTED), Some("Helm"));
    assert_eq!(label(&after, "team"), Some("a"));
    assert_eq!(annotation(&after, "note"), Some("kept"));
    assert_eq!(after.finalizers(), ["example.com/hold"]);
    // The other program still owns the data, so that the metadata alone can't clear it.
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn what_differs_is_left_alone_and_told_with_its_managers() {
    let sandbox = with_place_taken(Sandbox::new("adopt-different").await, &of_helm("theirs")).await;
    let before = sandbox.version("team-a", "regcred").await;
    let rule = sandbox.rule_and("conflictPolicy: Adopt");
    let ran = sandbox.sync(&rule).await.failed_with(1);
    ran.says("1 conflict")
        .says("is not ours (managed by helm) and differs from the original");
    assert_eq!(sandbox.version("team-a", "regcred").await, before);
}

#[tokio::test]
async fn a_rehearsal_of_an_adoption_tells_it_and_changes_nothing() {
    let sandbox = with_place_taken(Sandbox::new("adopt-rehearsed").await, &of_helm("x")).await;
    let before = sandbox.version("team-a", "regcred").await;
    let rule = sandbox.rule_and("conflictPolicy: Adopt");
    for dry_run in ["--dry-run=client", "--dry-run=server"] {
        let ran = sandbox
            .run_on(&["sync", dry_run, "-o", "wide"], &rule)
            .await;
        ran.succeeded()
            .prints("reason=Adopted")
            .says("1 configured");
    }
    let ran = sandbox.run_on(&["diff"], &rule).await.failed_with(1);
    ran.prints("+    copyrator.dev/adopted: Helm");
    assert_eq!(sandbox.version("team-a", "regcred").await, before);
}

#[tokio::test]
async fn what_was_taken_over_follows_its_original_and_is_healed() {
    let (sandbox, rule) = adopted("adopt-follows").await;
    sandbox.rotate_regcred("rotated").await;
    sandbox.sync(&rule).await.succeeded().says("1 configured");
    assert_eq!(sandbox.password("team-a").await.as_deref(), Some("rotated"));
    let edit = json!({"stringData": {"password": "edited"}});
    sandbox
        .patch_secret("team-a", "regcred", "helm", edit)
        .await;
    sandbox.sync(&rule).await.succeeded().says("1 configured");
    let copy = sandbox.regcred("team-a").await;
    assert_eq!(text(&copy, "password").as_deref(), Some("rotated"));
    assert_eq!(annotation(&copy, ADOPTED), Some("Helm"));
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn what_is_not_wanted_any_more_is_given_back() {
    let (sandbox, rule) = adopted("adopt-given-back").await;
    sandbox.rotate_regcred("rotated").await;
    sandbox.sync(&rule).await.succeeded();
    let narrowed = sandbox.aimed(&rule, "nobody");
    for arguments in [&["sync", "--dry-run"][..], &["sync", "--dry-run=server"]] {
        let ran = sandbox.run_on(arguments, &narrowed).await.succeeded();
        ran.prints("regcred released").says("1 released");
    }
    sandbox.run_on(&["diff"], &narrowed).await.failed_with(1);
    assert_eq!(
        annotation(&sandbox.regcred("team-a").await, ADOPTED),
        Some("Helm")
    );
    let ran = sandbox.sync(&narrowed).await.succeeded();
    ran.prints("regcred released").says("1 released");
    assert_given_back(&sandbox, "rotated").await;
    sandbox.is_in_step(&narrowed).await;
}

#[tokio::test]
async fn an_object_without_labels_is_given_back_without_any() {
    let plain = secret("regcred", &[("password", "x")]);
    let sandbox = with_place_taken(Sandbox::new("adopt-plain").await, &plain).await;
    let rule = sandbox.rule_and("conflictPolicy: Adopt");
    sandbox.sync(&rule).await.succeeded();
    assert_eq!(
        annotation(&sandbox.regcred("team-a").await, ADOPTED),
        Some("")
    );
    let narrowed = sandbox.aimed(&rule, "nobody");
    sandbox.sync(&narrowed).await.succeeded().says("1 released");
    let released = sandbox.regcred("team-a").await;
    assert!(released.labels().is_empty() && released.annotations().is_empty());
}

#[tokio::test]
async fn a_deleted_rule_gives_back_what_it_took_over() {
    let sandbox = Sandbox::alone("adopt-rule-gone").await;
    let sandbox = with_place_taken(sandbox, &of_helm("x")).await;
    sandbox.namespaces(&["team-b"]).await;
    sandbox
        .apply_rule(&sandbox.rule_and("conflictPolicy: Adopt"))
        .await;
    let ran = sandbox.run(&["sync"]).await.succeeded();
    ran.says("1 created").says("1 configured");
    sandbox.delete_rule("rule").await;
    let ran = sandbox.run(&["sync"]).await.succeeded();
    ran.says("1 pruned").says("1 released");
    assert_given_back(&sandbox, "x").await;
    assert_eq!(sandbox.secret("team-b", "regcred").await, None);
}

#[tokio::test]
async fn pruning_on_purpose_gives_back_what_was_taken_over() {
    let (sandbox, _) = adopted("adopt-pruned").await;
    let rule = sandbox.name("rule");
    let ran = sandbox.run(&["prune", "--set", "files", &rule]).await;
    ran.succeeded().says("1 released");
    assert_given_back(&sandbox, "x").await;
}

#[tokio::test]
async fn what_was_given_back_can_be_taken_over_again() {
    let (sandbox, rule) = adopted("adopt-again").await;
    let narrowed = sandbox.aimed(&rule, "nobody");
    sandbox.sync(&narrowed).await.succeeded().says("1 released");
    sandbox.sync(&rule).await.succeeded().says("1 configured");
    assert_eq!(
        annotation(&sandbox.regcred("team-a").await, ADOPTED),
        Some("Helm")
    );
}

#[tokio::test]
async fn a_copy_made_after_the_adopted_object_went_is_ours_to_delete() {
    let plain = secret("regcred", &[("password", "x")]);
    let sandbox = with_place_taken(Sandbox::new("adopt-remade").await, &plain).await;
    let rule = sandbox.rule_and("conflictPolicy: Adopt");
    sandbox.sync(&rule).await.succeeded();
    sandbox.delete_secret("team-a", "regcred").await;
    sandbox.sync(&rule).await.succeeded().says("1 created");
    assert_eq!(annotation(&sandbox.regcred("team-a").await, ADOPTED), None);
    let narrowed = sandbox.aimed(&rule, "nobody");
    sandbox.sync(&narrowed).await.succeeded().says("1 pruned");
    assert_eq!(sandbox.secret("team-a", "regcred").await, None);
}

#[tokio::test]
async fn a_policy_that_changes_later_leaves_what_was_taken_over() {
    let (sandbox, _) = adopted("adopt-then-skip").await;
    sandbox.is_in_step(&sandbox.rule()).await;
}

#[tokio::test]
async fn what_is_immutable_is_taken_over_and_given_back_all_the_same() {
    let sandbox = Sandbox::new("adopt-immutable").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    for (name, text, bytes) in [
        ("texts", true, false),
        ("bytes", false, true),
        ("none", false, false),
    ] {
        let mut object = configmap(name, if text { &[("k", "v")] } else { &[] });
        object.binary_data = bytes.then(|| [("b".to_owned(), ByteString(vec![255]))].into());
        sandbox.create_configmap("source", &object).await;
        object.immutable = Some(true);
        sandbox.create_configmap("team-a", &object).await;
    }
    let rule = sandbox.rule_with("ConfigMap", "names: [texts, bytes, none]", "");
    let rule = and(&rule, "conflictPolicy: Adopt");
    sandbox.sync(&rule).await.succeeded().says("3 configured");
    sandbox.is_in_step(&rule).await;
    let ran = sandbox.sync(&and(&rule, "prunePolicy: Orphan")).await;
    ran.succeeded().says("3 configured");
    let narrowed = sandbox.aimed(&rule, "nobody");
    sandbox.sync(&narrowed).await.succeeded().says("3 released");
}

#[tokio::test]
async fn what_goes_to_another_rule_is_given_back_in_the_end_all_the_same() {
    let (sandbox, rule) = adopted("adopt-handed").await;
    let narrowed = sandbox.aimed(&rule, "nobody");
    let other = sandbox.renamed(&sandbox.rule(), "other");
    let ran = sandbox.sync(&format!("{narrowed}---\n{other}")).await;
    ran.succeeded().says("1 configured");
    let copy = sandbox.regcred("team-a").await;
    assert_eq!(annotation(&copy, ADOPTED), Some("Helm"));
    let other = sandbox.aimed(&other, "nobody");
    sandbox.sync(&other).await.succeeded().says("1 released");
    assert_given_back(&sandbox, "x").await;
}
