//! The statuses of rules that are watched: they follow what happens, and are written when they change.

use std::sync::Arc;

use http::Method;
use serde_json::json;
use tokio::sync::Semaphore;

use super::watched::{begin, ends};
use crate::sandbox::{Fault, Proxy, Running, Sandbox, secret};

/// Watches a rule of the cluster through a proxy.
async fn watch(sandbox: &Sandbox, names: &[&str]) -> (Proxy, Running) {
    let proxy = sandbox.proxy(|_, _| Fault::None).await;
    let names: Vec<String> = names.iter().map(|name| sandbox.name(name)).collect();
    let words = ["sync", "--watch"].into_iter();
    let words: Vec<&str> = words.chain(names.iter().map(String::as_str)).collect();
    let started = proxy.program(&words).start().await;
    (proxy, begin(started).await)
}

/// The statuses that were written of a rule since the last call.
fn statuses(proxy: &Proxy, rule: &str) -> usize {
    let path = format!("/copyratorrules/{rule}/status?");
    let requests = proxy.requests();
    requests
        .iter()
        .filter(|request| request.contains(&path))
        .count()
}

#[tokio::test]
async fn a_new_rule_is_told_of_once_all_is_done() {
    let sandbox = Sandbox::ruled_with_source("watch-status", &["team-a", "team-b"]).await;
    let (proxy, running) = watch(&sandbox, &["rule"]).await;
    sandbox.apply_rule(&sandbox.rule()).await;
    sandbox.eventually_ready("rule", "InStep").await;
    let status = sandbox.stored_rule("rule").await["status"].clone();
    assert_eq!(status["copies"]["wanted"], json!(2), "{status}");
    assert_eq!(statuses(&proxy, &sandbox.name("rule")), 1);
    ends(running).await;
    assert_eq!(statuses(&proxy, &sandbox.name("rule")), 0);
    sandbox.is_in_step_by_name(&["rule"]).await;
}

#[tokio::test]
async fn a_copy_that_is_not_written_yet_is_not_told_to_be_in_step() {
    let sandbox = Sandbox::ruled_with_source("watch-progress", &["team-a", "team-b"]).await;
    sandbox.apply_rule(&sandbox.rule()).await;
    let (rule, slow) = (sandbox.name("rule"), sandbox.name("team-b"));
    let open = Arc::new(Semaphore::new(0));
    let gate = Arc::clone(&open);
    let proxy = sandbox
        .proxy(move |method, uri| {
            let gate = Arc::clone(&gate);
            if *method == Method::POST && uri.path().contains(&slow) {
                return Fault::after(async move { drop(gate.acquire().await) });
            }
            Fault::None
        })
        .await;
    let running = begin(proxy.program(&["sync", "--watch", &rule]).start().await).await;
    // A watch that has work left tells of it after ten seconds.
    sandbox.eventually_ready("rule", "Progressing").await;
    let status = sandbox.stored_rule("rule").await["status"].clone();
    let ready = &status["conditions"][0];
    assert_eq!(ready["status"], json!("False"), "{status}");
    let copies = json!({"wanted": 2, "inStep": 1, "conflicts": 0, "failed": 0});
    assert_eq!(status["copies"], copies, "{status}");
    assert_eq!(status["failingNamespaces"], json!(null), "{status}");
    open.add_permits(1);
    sandbox.eventually_ready("rule", "InStep").await;
    let status = sandbox.stored_rule("rule").await["status"].clone();
    assert_eq!(status["copies"]["inStep"], json!(2), "{status}");
    assert_eq!(statuses(&proxy, &rule), 2);
    ends(running).await;
    sandbox.is_in_step_by_name(&["rule"]).await;
}

#[tokio::test]
async fn whoever_does_not_get_a_place_is_told_once_whatever_becomes_of_it() {
    let sandbox = Sandbox::ruled_with_source("watch-loser", &["team-a"]).await;
    sandbox.apply_rule(&sandbox.rule()).await;
    let (proxy, running) = watch(&sandbox, &["rule", "second"]).await;
    sandbox.eventually_ready("rule", "InStep").await;
    sandbox
        .apply_rule(&sandbox.renamed(&sandbox.rule(), "second"))
        .await;
    sandbox.eventually_ready("second", "Conflicts").await;
    proxy.requests();
    for value in ["y", "z"] {
        let before = sandbox.stored_rule("rule").await["metadata"]["resourceVersion"].clone();
        sandbox.rotate_regcred(value).await;
        sandbox.eventually_password("team-a", Some(value)).await;
        let name = sandbox.name("rule");
        let selection = kube::api::ListParams::default().fields(&format!("metadata.name={name}"));
        crate::sandbox::eventually(&sandbox.rules(), selection, |rules| {
            // `lastSyncTime` has a resolution of a second, and a status is written at most once in one.
            let version = rules
                .first()
                .and_then(|rule| rule.metadata.resource_version.clone());
            version.is_some_and(|version| before != json!(version))
        })
        .await;
    }
    assert_eq!(statuses(&proxy, &sandbox.name("second")), 0);
    let status = sandbox.stored_rule("second").await["status"].clone();
    assert_eq!(status["conditions"][0]["reason"], "Conflicts", "{status}");
    ends(running).await;
}

#[tokio::test]
async fn a_conflict_where_nothing_is_wanted_any_more_is_forgotten() {
    let sandbox = Sandbox::ruled_with_source("watch-unwanted", &["team-a", "team-b"]).await;
    let theirs = secret("regcred", &[("password", "theirs")]);
    sandbox.create_secret_as("team-b", "helm", &theirs).await;
    sandbox.apply_rule(&sandbox.rule()).await;
    let running = sandbox.watch_rules(&["rule"], &[]).await;
    sandbox.eventually_ready("rule", "Conflicts").await;
    sandbox
        .apply_rule(&sandbox.aimed(&sandbox.rule(), "team-a"))
        .await;
    sandbox.eventually_ready("rule", "InStep").await;
    sandbox.apply_rule(&sandbox.rule()).await;
    sandbox.eventually_ready("rule", "Conflicts").await;
    sandbox.end_namespace("team-b").await;
    sandbox.eventually_ready("rule", "InStep").await;
    ends(running).await;
    sandbox.is_in_step_by_name(&["rule"]).await;
}

#[tokio::test]
async fn a_status_that_somebody_changes_is_written_anew() {
    let sandbox = Sandbox::ruled_with_source("watch-overwritten", &["team-a"]).await;
    sandbox.apply_rule(&sandbox.rule()).await;
    let running = sandbox.watch_rules(&["rule"], &[]).await;
    sandbox.eventually_ready("rule", "InStep").await;
    let patch =
        json!({"status": {"copies": {"wanted": 7, "inStep": 7, "conflicts": 0, "failed": 0}}});
    let patched = sandbox
        .rules()
        .patch_status(
            &sandbox.name("rule"),
            &kube::api::PatchParams::default(),
            &kube::api::Patch::Merge(patch),
        )
        .await;
    patched.expect("the status is changed");
    sandbox
        .eventually_status("rule", |status| status["copies"]["wanted"] == json!(1))
        .await;
    ends(running).await;
    sandbox.is_in_step_by_name(&["rule"]).await;
}
