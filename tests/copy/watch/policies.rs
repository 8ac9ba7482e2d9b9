//! What a watch does with copies that nobody wants any more.

use super::watched::ends;
use crate::sandbox::{Sandbox, and};

#[tokio::test]
async fn nothing_is_pruned_where_that_was_not_wanted() {
    let sandbox = Sandbox::with_source("watch-no-prune", &["team-a"]).await;
    let rule = sandbox.rule();
    let running = sandbox.watch_with(&rule, &["--prune=false"]).await;
    sandbox.eventually_password("team-a", Some("x")).await;
    sandbox.delete_secret("source", "regcred").await;
    running.says("there is nothing to copy").await;
    // What comes later is done all the same.
    sandbox.create_regcred("y").await;
    sandbox.eventually_password("team-a", Some("y")).await;
    let told = running.stdout();
    assert!(!told.contains("pruned"), "{told}");
    ends(running).await;
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn copies_that_shall_stay_are_left_when_their_original_goes() {
    let sandbox = Sandbox::with_source("watch-orphan", &["team-a"]).await;
    let rule = and(&sandbox.rule(), "prunePolicy: Orphan");
    let running = sandbox.watch(&rule).await;
    sandbox.eventually_password("team-a", Some("x")).await;
    sandbox.delete_secret("source", "regcred").await;
    running.says("there is nothing to copy").await;
    sandbox.namespaces(&["team-b"]).await;
    sandbox.create_regcred("y").await;
    for team in ["team-a", "team-b"] {
        sandbox.eventually_password(team, Some("y")).await;
    }
    let told = running.stdout();
    assert!(!told.contains("pruned"), "{told}");
    ends(running).await;
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn flags_that_mean_nothing_without_an_end_are_refused() {
    let sandbox = Sandbox::new("watch-flags").await;
    for flag in ["--dry-run=server", "--fail-fast", "-ojson", "--verify"] {
        let ran = sandbox.run(&["sync", "--watch", flag]).await;
        ran.failed_with(1).says("contradict each other");
    }
}
