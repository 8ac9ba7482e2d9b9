//! `conflictPolicy: Overwrite`: what has the place of a copy is taken over with its data replaced,
//! unless it is somebody's original, another rule's copy, or would have to be deleted.

use k8s_openapi::{ByteString, api::core::v1::Secret};
use kube::ResourceExt;
use serde_json::json;

use crate::sandbox::{Sandbox, and, annotation, configmap, label, secret, text};

/// A source, and another program's Secret in the place of its copy.
async fn with_place_taken(prefix: &str, theirs: &Secret) -> (Sandbox, String) {
    let sandbox = Sandbox::new(prefix).await;
    sandbox.namespaces(&["source", "team-a"]).await;
    sandbox.create_regcred("ours").await;
    sandbox.create_secret_as("team-a", "helm", theirs).await;
    let rule = sandbox.rule_and("conflictPolicy: Overwrite");
    (sandbox, rule)
}

fn theirs() -> Secret {
    let mut theirs = secret("regcred", &[("password", "theirs"), ("more", "theirs")]);
    theirs.metadata.labels = Some([("team".to_owned(), "a".to_owned())].into());
    theirs
}

/// A creation only finds out that the name is taken.
fn only_asks(request: &str) -> bool {
    request.starts_with("POST")
}

#[tokio::test]
async fn what_has_the_place_gets_our_data_and_keeps_its_metadata() {
    let (sandbox, rule) = with_place_taken("overwrite", &theirs()).await;
    let before = sandbox.regcred("team-a").await;
    let ran = sandbox.run_on(&["sync", "-o", "wide"], &rule).await;
    ran.succeeded().prints("reason=Overwritten");
    let after = sandbox.regcred("team-a").await;
    assert_eq!(after.uid(), before.uid());
    assert_eq!(text(&after, "password").as_deref(), Some("ours"));
    assert_eq!(text(&after, "more"), None);
    assert_eq!(label(&after, "team"), Some("a"));
    assert_eq!(annotation(&after, "copyrator.dev/adopted"), Some(""));
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn binary_data_that_had_the_place_is_gone() {
    let sandbox = Sandbox::new("overwrite-binary").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    sandbox
        .create_configmap("source", &configmap("settings", &[("text", "ours")]))
        .await;
    let mut theirs = configmap("settings", &[]);
    theirs.binary_data = Some([("bytes".to_owned(), ByteString(vec![0, 255]))].into());
    sandbox.create_configmap("team-a", &theirs).await;
    let rule = sandbox.rule_with("ConfigMap", "names: [settings]", "");
    let rule = and(&rule, "conflictPolicy: Overwrite");
    sandbox.sync(&rule).await.succeeded().says("1 configured");
    let copy = sandbox.configmap("team-a", "settings").await.unwrap();
    assert_eq!(copy.data.unwrap()["text"], "ours");
    assert!(copy.binary_data.unwrap_or_default().is_empty());
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn what_was_overwritten_is_given_back_and_not_deleted() {
    let (sandbox, rule) = with_place_taken("overwrite-back", &theirs()).await;
    sandbox.sync(&rule).await.succeeded();
    let narrowed = sandbox.aimed(&rule, "nobody");
    sandbox.sync(&narrowed).await.succeeded().says("1 released");
    assert_eq!(sandbox.password("team-a").await.as_deref(), Some("ours"));
}

#[tokio::test]
async fn rehearsals_tell_it_and_change_nothing() {
    let (sandbox, rule) = with_place_taken("overwrite-tried", &theirs()).await;
    let before = sandbox.regcred("team-a").await;
    for dry_run in ["--dry-run=client", "--dry-run=server"] {
        let ran = sandbox.run_on(&["sync", dry_run], &rule).await.succeeded();
        ran.says("1 configured");
    }
    let ran = sandbox.run_on(&["diff"], &rule).await.failed_with(1);
    ran.prints("-  more: \"***\"");
    assert_eq!(sandbox.regcred("team-a").await, before);
}

#[tokio::test]
async fn what_would_have_to_be_deleted_is_left_alone() {
    let immutable = Secret {
        immutable: Some(true),
        ..theirs()
    };
    let retyped = Secret {
        type_: Some("example.com/own".to_owned()),
        ..theirs()
    };
    for (prefix, theirs) in [("overwrite-frozen", immutable), ("overwrite-type", retyped)] {
        let (sandbox, rule) = with_place_taken(prefix, &theirs).await;
        let before = sandbox.regcred("team-a").await;
        for arguments in [
            &["sync", "--dry-run"][..],
            &["sync", "--dry-run=server"],
            &["sync"],
        ] {
            let (ran, writes) = {
                let arguments = [arguments, &["-f", "-"]].concat();
                sandbox.writes_of(&arguments, &rule).await
            };
            ran.failed_with(1)
                .says("is not ours (managed by helm) and immutable or of another type");
            assert!(
                writes.iter().all(|write| only_asks(write)),
                "{arguments:?}: {writes:?}"
            );
        }
        assert_eq!(sandbox.regcred("team-a").await, before);
    }
}

#[tokio::test]
async fn another_rules_original_is_never_taken_over() {
    let sandbox = Sandbox::new("overwrite-origin").await;
    sandbox.namespaces(&["source", "team-a", "other"]).await;
    sandbox.create_regcred("ours").await;
    let original = secret("regcred", &[("password", "original")]);
    sandbox.create_secret("team-a", &original).await;
    let other = sandbox.renamed(&sandbox.aimed(&sandbox.rule(), "other"), "other");
    let other = other.replace(&sandbox.name("source"), &sandbox.name("team-a"));
    for policy in ["Overwrite", "Adopt"] {
        let rule = sandbox.rule_and(&format!("conflictPolicy: {policy}"));
        let ran = sandbox.sync(&format!("{rule}---\n{other}")).await;
        ran.failed_with(1).says("1 conflict");
        assert_eq!(
            sandbox.password("team-a").await.as_deref(),
            Some("original")
        );
    }
    assert_eq!(sandbox.password("other").await.as_deref(), Some("original"));
}

#[tokio::test]
async fn copies_of_an_original_that_another_set_took_over_are_kept() {
    let sandbox = Sandbox::new("overwrite-sets").await;
    sandbox.namespaces(&["source", "team-a", "other"]).await;
    sandbox.create_regcred("ours").await;
    let original = secret("regcred", &[("password", "original")]);
    sandbox.create_secret("team-a", &original).await;
    let other = sandbox.renamed(&sandbox.aimed(&sandbox.rule(), "other"), "other");
    let other = other.replace(&sandbox.name("source"), &sandbox.name("team-a"));
    let set = sandbox.name("set");
    let in_its_set = ["sync", "--set", &set];
    sandbox.run_on(&in_its_set, &other).await.succeeded();
    let rule = sandbox.rule_and("conflictPolicy: Overwrite");
    sandbox.sync(&rule).await.succeeded().says("1 configured");
    let ran = sandbox.run_on(&in_its_set, &other).await.succeeded();
    ran.says("it is a copy itself; copies that were made of it before are kept");
    assert_eq!(sandbox.password("other").await.as_deref(), Some("original"));
}

#[tokio::test]
async fn another_rules_copy_is_never_taken_over() {
    let sandbox = Sandbox::new("overwrite-copy").await;
    sandbox.namespaces(&["source", "second", "team-a"]).await;
    sandbox.create_regcred("first").await;
    let second = secret("regcred", &[("password", "second")]);
    sandbox.create_secret("second", &second).await;
    sandbox.sync(&sandbox.rule()).await.succeeded();
    let rule = sandbox.renamed(&sandbox.rule_and("conflictPolicy: Overwrite"), "other");
    let rule = rule.replace(&sandbox.name("source"), &sandbox.name("second"));
    let ran = sandbox.sync(&rule).await.failed_with(1);
    let holder = sandbox.name("rule");
    ran.says(&format!("belongs to rule {holder} of set files"));
    let ran = sandbox.run_on(&["sync", "--set", "mine"], &rule).await;
    ran.failed_with(1)
        .says(&format!("belongs to rule {holder} of set files"));
    assert_eq!(sandbox.password("team-a").await.as_deref(), Some("first"));
}

#[tokio::test]
async fn kubernetes_own_configmap_is_never_overwritten() {
    let sandbox = Sandbox::new("overwrite-root").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    sandbox
        .create_configmap("source", &configmap("root-ca.crt", &[("ca.crt", "ours")]))
        .await;
    let rule = sandbox.rule_with("ConfigMap", "names: [root-ca.crt]", "name: \"kube-{name}\"");
    let rule = and(&rule, "conflictPolicy: Overwrite");
    let (ran, writes) = sandbox.writes_of(&["sync", "-f", "-"], &rule).await;
    ran.failed_with(1)
        .says("Kubernetes puts a ConfigMap kube-root-ca.crt into every namespace itself");
    assert_eq!(writes, [""; 0]);
}

#[tokio::test]
async fn a_service_accounts_token_is_never_overwritten() {
    let sandbox = Sandbox::new("overwrite-token").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    sandbox.create_regcred("ours").await;
    sandbox.create_service_account("team-a", "robot").await;
    let token = json!({
        "metadata": {
            "name": "regcred",
            "annotations": {"kubernetes.io/service-account.name": "robot"},
        },
        "type": "kubernetes.io/service-account-token",
    });
    let token = serde_json::from_value(token).expect("a Secret");
    sandbox.create_secret("team-a", &token).await;
    let rule = sandbox.rule_and("conflictPolicy: Overwrite");
    let (ran, writes) = sandbox.writes_of(&["sync", "-f", "-"], &rule).await;
    ran.failed_with(1).says("immutable or of another type");
    assert!(writes.iter().all(|write| only_asks(write)), "{writes:?}");
    let there = sandbox.regcred("team-a").await;
    assert_eq!(text(&there, "password"), None);
}

#[tokio::test]
async fn the_original_of_a_rule_that_rests_is_never_taken_over() {
    let sandbox = Sandbox::new("overwrite-resting").await;
    sandbox.namespaces(&["source", "team-a", "other"]).await;
    sandbox.create_regcred("ours").await;
    let original = secret("regcred", &[("password", "original")]);
    sandbox.create_secret("team-a", &original).await;
    let other = sandbox.renamed(&sandbox.aimed(&sandbox.rule(), "other"), "other");
    let other = other.replace(&sandbox.name("source"), &sandbox.name("team-a"));
    sandbox.sync(&other).await.succeeded().says("1 created");
    let rule = sandbox.rule_and("conflictPolicy: Overwrite");
    let resting = and(&other, "suspend: true");
    let ran = sandbox.sync(&format!("{rule}---\n{resting}")).await;
    ran.failed_with(1).says("1 conflict");
    assert_eq!(
        sandbox.password("team-a").await.as_deref(),
        Some("original")
    );
    sandbox.is_in_step(&other).await;
}
