//! Originals that are changed, deleted and made anew, however a rule names them.

use serde_json::json;

use super::watched::ends;
use crate::sandbox::{Sandbox, secret, text};

/// Goes through the life of an original of the test's rule, which selects it somehow.
async fn lives(sandbox: &Sandbox, rule: &str) {
    let running = sandbox.watch(rule).await;
    let teams = ["team-a", "team-b"];
    let expect = async |password: Option<&str>| {
        for team in teams {
            sandbox.eventually_password(team, password).await;
        }
    };
    expect(Some("x")).await;
    sandbox.rotate_regcred("y").await;
    expect(Some("y")).await;
    let labels = sandbox.regcred("source").await.metadata.labels;
    sandbox.delete_secret("source", "regcred").await;
    expect(None).await;
    let mut again = secret("regcred", &[("password", "z")]);
    again.metadata.labels.clone_from(&labels);
    sandbox.create_secret("source", &again).await;
    expect(Some("z")).await;
    // A type never changes: what has another one is another object.
    let uid = sandbox.regcred("team-a").await.metadata.uid;
    sandbox.delete_secret("source", "regcred").await;
    let mut typed = secret("regcred", &[("password", "typed")]);
    typed.metadata.labels = labels;
    typed.type_ = Some("example.com/credentials".to_owned());
    sandbox.create_secret("source", &typed).await;
    expect(Some("typed")).await;
    let copy = sandbox.regcred("team-a").await;
    assert_eq!(copy.type_, typed.type_);
    assert_ne!(copy.metadata.uid, uid);
    ends(running).await;
    sandbox.is_in_step(rule).await;
}

#[tokio::test]
async fn an_original_that_is_named_is_followed() {
    let sandbox = Sandbox::with_source("watch-named", &["team-a", "team-b"]).await;
    lives(&sandbox, &sandbox.rule()).await;
}

#[tokio::test]
async fn originals_that_globs_select_are_followed() {
    let sandbox = Sandbox::with_source("watch-globs", &["team-a", "team-b"]).await;
    let rule = sandbox.rule_with("Secret", "names: [\"reg*\"]", "");
    lives(&sandbox, &rule).await;
}

#[tokio::test]
async fn originals_that_a_selector_selects_are_followed() {
    let sandbox = Sandbox::with_source("watch-selected", &["team-a", "team-b"]).await;
    let label = json!({"metadata": {"labels": {"copy": "yes"}}});
    sandbox
        .patch_secret("source", "regcred", "admin", label)
        .await;
    let rule = sandbox.rule_with("Secret", "selector: {matchLabels: {copy: \"yes\"}}", "");
    lives(&sandbox, &rule).await;
}

#[tokio::test]
async fn an_original_that_loses_its_label_is_not_copied_any_more() {
    let sandbox = Sandbox::with_source("watch-unlabelled", &["team-a"]).await;
    let label = |value| json!({"metadata": {"labels": {"copy": value}}});
    sandbox
        .patch_secret("source", "regcred", "admin", label(json!("yes")))
        .await;
    let rule = sandbox.rule_with("Secret", "selector: {matchLabels: {copy: \"yes\"}}", "");
    let running = sandbox.watch(&rule).await;
    sandbox.eventually_password("team-a", Some("x")).await;
    sandbox
        .patch_secret("source", "regcred", "admin", label(json!(null)))
        .await;
    sandbox.eventually_password("team-a", None).await;
    sandbox
        .patch_secret("source", "regcred", "admin", label(json!("yes")))
        .await;
    sandbox.eventually_password("team-a", Some("x")).await;
    ends(running).await;
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn an_original_that_is_named_and_selected_by_globs_is_pruned_for_both() {
    let sandbox = Sandbox::with_source("watch-both", &["team-a", "crew-a"]).await;
    let named = sandbox.rule();
    let globs = sandbox.rule_with("Secret", "names: [\"reg*\"]", "");
    let globs = sandbox.aimed(&sandbox.renamed(&globs, "globs"), "crew-*");
    let both = format!("{named}---\n{globs}");
    let running = sandbox.watch(&both).await;
    let expect = async |password: Option<&str>| {
        let expected = [("team-a", password), ("crew-a", password)];
        sandbox.eventually_passwords(&expected).await;
    };
    expect(Some("x")).await;
    for password in ["y", "z"] {
        sandbox.delete_secret("source", "regcred").await;
        expect(None).await;
        sandbox.create_regcred(password).await;
        expect(Some(password)).await;
    }
    ends(running).await;
    sandbox.is_in_step(&both).await;
}

#[tokio::test]
async fn more_originals_come_and_go_under_a_glob() {
    let sandbox = Sandbox::with_source("watch-many-globs", &["team-a"]).await;
    let rule = sandbox.rule_with("Secret", "names: [\"cert-*\"]", "");
    let running = sandbox.watch(&rule).await;
    for number in 0..30 {
        let name = format!("cert-{number}");
        let one = secret(&name, &[("key", &number.to_string())]);
        sandbox.create_secret("source", &one).await;
    }
    for number in 0..30 {
        let expected = number.to_string();
        sandbox
            .eventually("team-a", &format!("cert-{number}"), |copy| {
                copy.and_then(|copy| text(copy, "key")) == Some(expected.clone())
            })
            .await;
    }
    for number in (0..30).step_by(2) {
        sandbox
            .delete_secret("source", &format!("cert-{number}"))
            .await;
    }
    for number in (0..30).step_by(2) {
        let name = format!("cert-{number}");
        sandbox
            .eventually("team-a", &name, |copy| copy.is_none())
            .await;
    }
    assert!(sandbox.secret("team-a", "cert-1").await.is_some());
    ends(running).await;
    sandbox.is_in_step(&rule).await;
}
