//! Copies that somebody touches, and places that somebody else has.

use serde_json::json;

use super::watched::{ends, writes};
use crate::sandbox::{Fault, Sandbox, label, secret, text};

#[tokio::test]
async fn a_copy_that_is_deleted_or_changed_is_healed() {
    let sandbox = Sandbox::with_source("watch-heal", &["team-a", "team-b", "team-c"]).await;
    let rule = sandbox.rule();
    let running = sandbox.watch(&rule).await;
    for team in ["team-a", "team-b", "team-c"] {
        sandbox.eventually_password(team, Some("x")).await;
    }
    let uid = sandbox.regcred("team-a").await.metadata.uid;
    sandbox.delete_secret("team-a", "regcred").await;
    let edit = json!({"stringData": {"password": "edited", "more": "data"}});
    sandbox
        .patch_secret("team-b", "regcred", "kubectl-edit", edit)
        .await;
    sandbox.unmark("team-c").await;
    sandbox
        .eventually("team-a", "regcred", |copy| {
            copy.is_some_and(|copy| copy.metadata.uid != uid)
        })
        .await;
    sandbox
        .eventually("team-b", "regcred", |copy| {
            let copy = copy.expect("it isn't deleted");
            text(copy, "password").as_deref() == Some("x") && text(copy, "more").is_none()
        })
        .await;
    sandbox
        .eventually("team-c", "regcred", |copy| {
            let copy = copy.expect("it isn't deleted");
            label(copy, "copyrator.dev/rule").is_some()
        })
        .await;
    ends(running).await;
    sandbox.is_in_step(&rule).await;
}

impl Sandbox {
    /// Takes all labels off a copy.
    async fn unmark(&self, namespace: &str) {
        let labels = self.regcred(namespace).await.metadata.labels;
        let labels = labels.expect("a copy has labels").into_keys();
        let nothing: serde_json::Map<_, _> = labels.map(|key| (key, json!(null))).collect();
        let patch = json!({"metadata": {"labels": nothing}});
        self.patch_secret(namespace, "regcred", "somebody", patch)
            .await;
    }
}

#[tokio::test]
async fn a_place_that_somebody_else_has_is_told_once_and_left_alone() {
    let sandbox = Sandbox::with_source("watch-foreign", &["team-a", "team-b"]).await;
    let theirs = secret("regcred", &[("password", "theirs")]);
    sandbox.create_secret_as("team-a", "helm", &theirs).await;
    let rule = sandbox.rule();
    let (proxy, running) = sandbox.watch_through(&rule, |_, _| Fault::None).await;
    running.says("not ours").await;
    sandbox.eventually_password("team-b", Some("x")).await;
    proxy.requests();
    // Each of these is a reason to look at all copies.
    for value in ["y", "z"] {
        sandbox.rotate_regcred(value).await;
        sandbox.eventually_password("team-b", Some(value)).await;
    }
    let requests = proxy.requests();
    let at_theirs = sandbox.name("team-a");
    assert!(
        !requests.iter().any(|one| one.contains(&at_theirs)),
        "{requests:#?}"
    );
    let told = running.stderr();
    assert_eq!(told.matches("not ours").count(), 1, "{told}");
    ends(running).await;
    assert_eq!(sandbox.password("team-a").await.as_deref(), Some("theirs"));
    let ran = sandbox.sync(&rule).await.failed_with(1);
    ran.says("1 unchanged, 1 conflict");
}

#[tokio::test]
async fn a_place_that_somebody_else_leaves_is_found_by_the_next_look_at_everything() {
    let sandbox = Sandbox::with_source("watch-left", &["team-a"]).await;
    let theirs = secret("regcred", &[("password", "theirs")]);
    sandbox.create_secret_as("team-a", "helm", &theirs).await;
    let rule = sandbox.rule();
    let running = sandbox.watch_with(&rule, &["--resync=2s"]).await;
    running.says("not ours").await;
    sandbox.delete_secret("team-a", "regcred").await;
    sandbox.eventually_password("team-a", Some("x")).await;
    let told = running.stderr();
    assert_eq!(told.matches("not ours").count(), 1, "{told}");
    ends(running).await;
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn what_a_watch_did_not_tell_is_found_by_the_next_look_at_everything() {
    let sandbox = Sandbox::with_source("watch-deaf", &["team-a", "team-b"]).await;
    let rule = sandbox.rule();
    let resync = ["--resync=2s"];
    let (proxy, running) = sandbox
        .watch_through_with(&rule, &resync, |_, _| Fault::None)
        .await;
    for team in ["team-a", "team-b"] {
        sandbox.eventually_password(team, Some("x")).await;
    }
    proxy.swallow_events(true);
    sandbox.delete_secret("team-a", "regcred").await;
    sandbox.rotate_regcred("y").await;
    sandbox.namespaces(&["team-c"]).await;
    for team in ["team-a", "team-b", "team-c"] {
        sandbox.eventually_password(team, Some("y")).await;
    }
    proxy.swallow_events(false);
    ends(running).await;
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn a_copy_is_written_once_for_each_change() {
    let sandbox = Sandbox::with_source("watch-once", &["team-a", "team-b"]).await;
    let rule = sandbox.rule();
    let (proxy, running) = sandbox.watch_through(&rule, |_, _| Fault::None).await;
    for team in ["team-a", "team-b"] {
        sandbox.eventually_password(team, Some("x")).await;
    }
    sandbox.rotate_regcred("y").await;
    for team in ["team-a", "team-b"] {
        sandbox.eventually_password(team, Some("y")).await;
    }
    ends(running).await;
    let requests = proxy.requests();
    let writes = writes(&requests);
    assert_eq!(writes.len(), 4, "{writes:#?}");
    sandbox.is_in_step(&rule).await;
}
