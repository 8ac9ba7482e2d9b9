//! `crd install`: what is made, what is changed and what is left alone.

use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::command::{Ended, LINE, NAME, OTHER_LINE, crd};
use crate::sandbox::Sandbox;

/// What is printed when this became of the definition, and that of the other one.
fn lines(word: &str, of_other: &str) -> [String; 2] {
    [format!("{LINE} {word}"), format!("{OTHER_LINE} {of_other}")]
}

#[tokio::test]
async fn a_definition_is_made_once_and_then_left_alone() {
    let sandbox = Sandbox::blank("crd-once").await;
    sandbox
        .crd("install")
        .await
        .prints(&lines("created", "created"));
    // It is served at once: no test would have to wait.
    sandbox.apply_rule(&sandbox.rule()).await;
    let version = sandbox.definition_version().await;
    sandbox
        .crd("install")
        .await
        .prints(&lines("unchanged", "unchanged"));
    sandbox
        .crd("install --force")
        .await
        .prints(&lines("unchanged", "unchanged"));
    assert_eq!(sandbox.definition_version().await, version);
}

#[tokio::test]
async fn an_older_definition_is_brought_up_to_date() {
    let sandbox = Sandbox::blank("crd-older").await;
    sandbox
        .crd("install")
        .await
        .prints(&lines("created", "created"));
    sandbox.apply_rule(&sandbox.rule()).await;
    let before = sandbox.definition().await;
    sandbox.set_revision(json!("0")).await;
    let names = json!({"shortNames": ["copyr", "older"]});
    sandbox
        .patch_definition(
            json!({"spec": {"names": names}, "metadata": {"labels": {"other": "stays"}}}),
        )
        .await;
    sandbox
        .crd("install")
        .await
        .prints(&lines("configured", "unchanged"));
    let (before, after) = (before.unwrap(), sandbox.definition().await.unwrap());
    assert_eq!(after["spec"], before["spec"]);
    assert_eq!(
        after["metadata"]["annotations"],
        before["metadata"]["annotations"]
    );
    assert_eq!(after["metadata"]["labels"]["other"], "stays");
    assert_eq!(after["metadata"]["uid"], before["metadata"]["uid"]);
}

#[tokio::test]
async fn a_definition_without_its_marks_or_with_a_field_more_is_repaired() {
    let sandbox = Sandbox::blank("crd-repaired").await;
    sandbox.crd("install").await;
    sandbox.set_revision(json!(null)).await;
    sandbox
        .crd("install")
        .await
        .prints(&lines("configured", "unchanged"));
    let mut spec = sandbox.definition().await.unwrap()["spec"].clone();
    let schema = &mut spec["versions"][0]["schema"]["openAPIV3Schema"];
    schema["properties"]["spec"]["properties"]["more"] = json!({"type": "string"});
    sandbox.patch_definition(json!({"spec": spec})).await;
    sandbox
        .crd("install")
        .await
        .prints(&lines("configured", "unchanged"));
    sandbox
        .crd("install")
        .await
        .prints(&lines("unchanged", "unchanged"));
}

#[tokio::test]
async fn a_newer_definition_is_only_replaced_by_force() {
    let sandbox = Sandbox::blank("crd-newer").await;
    sandbox.crd("install").await;
    sandbox.set_revision(json!("99")).await;
    let version = sandbox.definition_version().await;
    sandbox.crd("install").await.fails_after(
        &lines("", "unchanged")[1..],
        "has schema revision 99, and this kubectl-copyrator knows revisions up to",
    );
    assert_eq!(sandbox.definition_version().await, version);
    sandbox
        .crd("install --force")
        .await
        .prints(&lines("configured", "unchanged"));
}

#[tokio::test]
async fn a_definition_of_somebody_else_is_only_adopted_by_force() {
    let sandbox = Sandbox::blank("crd-foreign").await;
    sandbox.crd("install").await;
    sandbox.disown().await;
    let version = sandbox.definition_version().await;
    sandbox.crd("install").await.fails_after(
        &lines("", "unchanged")[1..],
        &format!("{LINE} was not made by kubectl-copyrator"),
    );
    assert_eq!(sandbox.definition_version().await, version);
    sandbox
        .crd("install --force")
        .await
        .prints(&lines("configured", "unchanged"));
    sandbox
        .crd("install")
        .await
        .prints(&lines("unchanged", "unchanged"));
}

#[tokio::test]
async fn a_rehearsal_writes_nothing() {
    let sandbox = Sandbox::blank("crd-rehearsal").await;
    for (mode, suffix) in [("client", "(dry run)"), ("server", "(server dry run)")] {
        let install = format!("install --dry-run={mode}");
        sandbox.crd(&install).await.prints(&lines(
            &format!("created {suffix}"),
            &format!("created {suffix}"),
        ));
        assert_eq!(sandbox.definition().await, None);
    }
    sandbox.crd("install").await;
    let unchanged = "unchanged (server dry run)";
    sandbox
        .crd("install --dry-run=server")
        .await
        .prints(&lines(unchanged, unchanged));
    sandbox.set_revision(json!("0")).await;
    let version = sandbox.definition_version().await;
    for (mode, suffix) in [("client", "(dry run)"), ("server", "(server dry run)")] {
        let install = format!("install --dry-run={mode}");
        sandbox.crd(&install).await.prints(&lines(
            &format!("configured {suffix}"),
            &format!("unchanged {suffix}"),
        ));
    }
    assert_eq!(sandbox.definition_version().await, version);
}

#[tokio::test]
async fn several_installs_at_once_all_succeed() {
    let sandbox = Sandbox::blank("crd-at-once").await;
    let install = || sandbox.crd("install");
    let created = tokio::join!(install(), install(), install(), install());
    let created = <[Ended; 4]>::from(created);
    one_did(&created, LINE, "created");
    one_did(&created, OTHER_LINE, "created");
    sandbox.set_revision(json!("0")).await;
    let configured = tokio::join!(install(), install(), install(), install());
    one_did(&<[Ended; 4]>::from(configured), LINE, "configured");
}

/// Asserts that one of the installs did this to a definition, and the others found it done.
#[track_caller]
fn one_did(installs: &[Ended], definition: &str, word: &str) {
    assert!(
        installs.iter().all(|ended| ended.succeeded),
        "{installs:#?}"
    );
    let mut words: Vec<_> = installs
        .iter()
        .flat_map(|ended| ended.out.lines())
        .filter_map(|line| line.strip_prefix(definition)?.strip_prefix(' '))
        .collect();
    words.sort_unstable();
    assert_eq!(words, [word, "unchanged", "unchanged", "unchanged"]);
}

#[tokio::test]
async fn without_the_right_the_servers_words_are_passed_on() {
    let sandbox = Sandbox::blank("crd-forbidden").await;
    let stranger = sandbox.stranger("stranger").await;
    for command in ["install", "install --check", "uninstall --yes"] {
        let ended = crd(&stranger, command, &CancellationToken::new()).await;
        let mut ended = ended
            .fails("Error from server (Forbidden): ")
            .says("hint: ");
        for name in [NAME, "exchangerates.copyrator.dev"] {
            ended = ended.says(&format!("\"{name}\" is forbidden: User \"crd-forbidden-stranger\" cannot get resource \"customresourcedefinitions\""));
        }
    }
}
