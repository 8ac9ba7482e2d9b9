//! Rules that come, change, rest and go while copies are watched.

use serde_json::json;

use super::watched::{begin, ends};
use crate::sandbox::{Sandbox, and, secret};

#[tokio::test]
async fn a_rule_lives_from_its_making_to_its_end() {
    let sandbox = Sandbox::ruled_with_source("watch-rule", &["team-a", "crew-a"]).await;
    let running = sandbox.watch_rules(&["rule"], &[]).await;
    let expect = async |team: Option<&str>, crew: Option<&str>| {
        let expected = [("team-a", team), ("crew-a", crew)];
        sandbox.eventually_passwords(&expected).await;
    };
    // It is asked for by its name, and doesn't exist yet.
    sandbox.apply_rule(&sandbox.rule()).await;
    expect(Some("x"), None).await;
    sandbox
        .apply_rule(&sandbox.aimed(&sandbox.rule(), "crew-*"))
        .await;
    expect(None, Some("x")).await;
    sandbox.apply_rule(&sandbox.rule_and("suspend: true")).await;
    sandbox.eventually_ready("rule", "Suspended").await;
    sandbox.rotate_regcred("y").await;
    sandbox
        .apply_rule(&sandbox.rule_and("suspend: false"))
        .await;
    expect(Some("y"), None).await;
    sandbox.delete_rule("rule").await;
    expect(None, None).await;
    sandbox.apply_rule(&sandbox.rule()).await;
    expect(Some("y"), None).await;
    sandbox.eventually_ready("rule", "InStep").await;
    ends(running).await;
    sandbox.is_in_step_by_name(&["rule"]).await;
}

#[tokio::test]
async fn a_rule_that_rests_leaves_its_copies_as_they_are() {
    let sandbox = Sandbox::ruled_with_source("watch-rests", &["team-a", "team-b"]).await;
    sandbox.apply_rule(&sandbox.rule()).await;
    let running = sandbox.watch_rules(&["rule"], &[]).await;
    sandbox.eventually_ready("rule", "InStep").await;
    sandbox.apply_rule(&sandbox.rule_and("suspend: true")).await;
    sandbox.eventually_ready("rule", "Suspended").await;
    sandbox.rotate_regcred("y").await;
    sandbox.delete_secret("team-b", "regcred").await;
    // Another rule of the same watch shows that it has come by.
    let other = sandbox.renamed(&sandbox.aimed(&sandbox.rule(), "crew-*"), "other");
    let (other_watch, crew) = (sandbox.watch_rules(&["other"], &[]).await, ["crew-a"]);
    sandbox.apply_rule(&other).await;
    sandbox.namespaces(&crew).await;
    sandbox.eventually_password("crew-a", Some("y")).await;
    ends(other_watch).await;
    assert_eq!(sandbox.password("team-a").await.as_deref(), Some("x"));
    assert_eq!(sandbox.password("team-b").await, None);
    ends(running).await;
    sandbox.delete_rule("rule").await;
    sandbox.delete_rule("other").await;
}

#[tokio::test]
async fn a_place_that_two_rules_want_goes_to_the_other_one_when_the_first_ends() {
    let sandbox = Sandbox::ruled_with_source("watch-two", &["team-a", "team-b"]).await;
    let other_source = secret("regcred", &[("password", "other")]);
    sandbox.namespaces(&["source-2"]).await;
    sandbox.create_secret("source-2", &other_source).await;
    sandbox.apply_rule(&sandbox.rule()).await;
    let running = sandbox.watch_rules(&["rule", "second"], &[]).await;
    sandbox.eventually_ready("rule", "InStep").await;
    let second = sandbox.renamed(&sandbox.rule(), "second");
    let source = format!("namespaces: [{}]", sandbox.name("source"));
    let second = second.replace(
        &source,
        &format!("namespaces: [{}]", sandbox.name("source-2")),
    );
    sandbox.apply_rule(&second).await;
    sandbox.eventually_ready("second", "Conflicts").await;
    assert_eq!(sandbox.password("team-a").await.as_deref(), Some("x"));
    let uid = sandbox.regcred("team-a").await.metadata.uid;
    sandbox.delete_rule("rule").await;
    for team in ["team-a", "team-b"] {
        sandbox.eventually_password(team, Some("other")).await;
    }
    sandbox.eventually_ready("second", "InStep").await;
    let copy = sandbox.regcred("team-a").await;
    assert_eq!(copy.metadata.uid, uid, "it is handed over, not made anew");
    ends(running).await;
    sandbox.is_in_step_by_name(&["second"]).await;
}

#[tokio::test]
async fn a_rule_never_reaches_a_namespace_that_its_new_selector_excludes() {
    let sandbox = Sandbox::ruled_with_source("watch-keys", &[]).await;
    for number in 0..20 {
        let stage = [("prod", "stage-prod"), ("test", "stage-test")][number % 2];
        let labels = [("stage", stage.0), (stage.1, "yes")];
        sandbox.namespace(&format!("team-{number}"), &labels).await;
    }
    sandbox.namespaces(&["crew-a"]).await;
    sandbox
        .apply_rule(&sandbox.aimed(&sandbox.rule(), "crew-*"))
        .await;
    let running = sandbox.watch_rules(&["rule"], &[]).await;
    sandbox.eventually_ready("rule", "InStep").await;
    // No rule has asked for these labels before, so nobody knows yet who has them.
    for selector in [
        "{matchExpressions: [{key: stage, operator: NotIn, values: [prod]}]}",
        "{matchExpressions: [{key: stage-prod, operator: DoesNotExist}]}",
    ] {
        sandbox.apply_rule(&sandbox.rule_by(selector)).await;
        sandbox.eventually_password("team-1", Some("x")).await;
        sandbox.eventually_password("team-19", Some("x")).await;
        sandbox
            .apply_rule(&sandbox.aimed(&sandbox.rule(), "crew-*"))
            .await;
        sandbox.eventually_password("team-1", None).await;
        sandbox.eventually_password("team-19", None).await;
    }
    sandbox
        .apply_rule(&sandbox.rule_by("{matchLabels: {stage-test: \"yes\"}}"))
        .await;
    sandbox.eventually_password("crew-a", None).await;
    sandbox
        .eventually_status("rule", |status| {
            let copies = &status["copies"];
            copies["wanted"] == json!(10) && copies["inStep"] == json!(10)
        })
        .await;
    let told = running.stdout();
    for number in (0..20).step_by(2) {
        let excluded = sandbox.name(&format!("team-{number}"));
        let is_there = told
            .lines()
            .any(|line| line.contains(&format!("{excluded} ")) || line.ends_with(&excluded));
        assert!(!is_there, "{told}");
    }
    let told = running.stderr();
    assert!(!told.contains("selects no namespace"), "{told}");
    ends(running).await;
    sandbox.is_in_step_by_name(&["rule"]).await;
}

#[tokio::test]
async fn a_rule_that_becomes_invalid_keeps_its_copies_and_says_so() {
    let sandbox = Sandbox::ruled_with_source("watch-invalid", &["team-a", "team-b"]).await;
    sandbox.apply_rule(&sandbox.rule()).await;
    let running = sandbox.watch_rules(&["rule"], &[]).await;
    sandbox.eventually_ready("rule", "InStep").await;
    // The schema lets no bad glob in, but knows nothing of what a name becomes when it is rendered.
    let long = "x".repeat(246);
    let name = format!("name: \"{long}-{{name}}\"");
    let invalid = sandbox.rule_with("Secret", "names: [regcred]", &name);
    sandbox.apply_rule(&invalid).await;
    sandbox.eventually_ready("rule", "CopyInvalid").await;
    assert_eq!(sandbox.password("team-a").await.as_deref(), Some("x"));
    sandbox.apply_rule(&sandbox.rule()).await;
    sandbox.eventually_ready("rule", "InStep").await;
    let told = running.stdout();
    assert!(!told.contains("pruned"), "{told}");
    ends(running).await;
    sandbox.is_in_step_by_name(&["rule"]).await;
}

#[tokio::test]
async fn a_rule_can_be_given_another_original_and_back() {
    let sandbox = Sandbox::ruled_with_source("watch-retarget", &["team-a"]).await;
    let other = secret("other", &[("password", "other")]);
    sandbox.create_secret("source", &other).await;
    sandbox.apply_rule(&sandbox.rule()).await;
    let running = sandbox.watch_rules(&["rule"], &[]).await;
    for _ in 0..3 {
        sandbox
            .eventually("team-a", "other", |copy| copy.is_none())
            .await;
        sandbox.eventually_password("team-a", Some("x")).await;
        let others = sandbox.rule_with("Secret", "names: [other]", "");
        sandbox.apply_rule(&others).await;
        sandbox.eventually_password("team-a", None).await;
        sandbox
            .eventually("team-a", "other", |copy| copy.is_some())
            .await;
        sandbox.apply_rule(&sandbox.rule()).await;
    }
    sandbox.eventually_password("team-a", Some("x")).await;
    sandbox
        .eventually("team-a", "other", |copy| copy.is_none())
        .await;
    sandbox.eventually_ready("rule", "InStep").await;
    ends(running).await;
    sandbox.is_in_step_by_name(&["rule"]).await;
}

#[tokio::test]
async fn a_rule_that_selects_by_globs_may_go_while_another_names_the_same_original() {
    let sandbox = Sandbox::ruled_with_source("watch-glob-goes", &["team-a", "crew-a"]).await;
    let globs = sandbox.rule_with("Secret", "names: [\"reg*\"]", "");
    let globs = sandbox.aimed(&sandbox.renamed(&globs, "globs"), "crew-*");
    let expect = async |team: Option<&str>, crew: Option<&str>| {
        let expected = [("team-a", team), ("crew-a", crew)];
        sandbox.eventually_passwords(&expected).await;
    };
    sandbox.apply_rule(&sandbox.rule()).await;
    let running = sandbox.watch_rules(&["rule", "globs"], &[]).await;
    for (team, crew) in [("y", "z"), ("v", "w")] {
        sandbox.apply_rule(&globs).await;
        sandbox.rotate_regcred(team).await;
        expect(Some(team), Some(team)).await;
        sandbox.delete_rule("rule").await;
        expect(None, Some(team)).await;
        sandbox.rotate_regcred(crew).await;
        expect(None, Some(crew)).await;
        sandbox.apply_rule(&sandbox.rule()).await;
        expect(Some(crew), Some(crew)).await;
        sandbox.delete_rule("globs").await;
        expect(Some(crew), None).await;
    }
    sandbox.delete_secret("source", "regcred").await;
    expect(None, None).await;
    sandbox.create_regcred("last").await;
    expect(Some("last"), None).await;
    sandbox.eventually_ready("rule", "InStep").await;
    ends(running).await;
    sandbox.is_in_step_by_name(&["rule"]).await;
}

#[tokio::test]
async fn policies_of_a_rule_may_change() {
    let sandbox = Sandbox::ruled_with_source("watch-policy", &["team-a"]).await;
    let theirs = secret("regcred", &[("password", "theirs")]);
    sandbox.create_secret_as("team-a", "helm", &theirs).await;
    sandbox.apply_rule(&sandbox.rule()).await;
    let running = sandbox.watch_rules(&["rule"], &[]).await;
    sandbox.eventually_ready("rule", "Conflicts").await;
    sandbox
        .apply_rule(&and(&sandbox.rule(), "conflictPolicy: Overwrite"))
        .await;
    sandbox.eventually_password("team-a", Some("x")).await;
    sandbox
        .eventually_status("rule", |status| {
            status["conditions"][0]["reason"] == "InStep"
                && status["copies"]["conflicts"] == json!(0)
        })
        .await;
    ends(running).await;
    sandbox.is_in_step_by_name(&["rule"]).await;
}

#[tokio::test]
async fn rules_without_a_definition_are_waited_for_and_how_to_install_it_is_told() {
    let sandbox = Sandbox::blank("watch-undefined").await;
    let sandbox = sandbox.and_source(&["team-a"]).await;
    let running = sandbox.program(&["sync", "--watch"]).start().await;
    running
        .says("Warning: Error from server (NotFound): cannot list copyratorrules.copyrator.dev")
        .await
        .says("hint: install its definition with: kubectl copyrator crd install\n")
        .await;
    sandbox.run(&["crd", "install"]).await.succeeded();
    let running = begin(running).await;
    sandbox.apply_rule(&sandbox.rule()).await;
    sandbox.eventually_password("team-a", Some("x")).await;
    ends(running).await;
}
