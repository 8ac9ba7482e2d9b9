//! `prunePolicy: Orphan`: copies that nobody wants stay, until somebody asks for their end.

use kube::ResourceExt;

use crate::sandbox::{Sandbox, and, annotation, label};

/// Copies in two namespaces, of a rule that leaves what it doesn't want any more.
async fn copied(prefix: &str) -> (Sandbox, String) {
    let sandbox = Sandbox::new(prefix).await;
    sandbox.namespaces(&["source", "team-a", "team-b"]).await;
    sandbox.create_regcred("x").await;
    let rule = sandbox.rule_and("prunePolicy: Orphan");
    sandbox.sync(&rule).await.succeeded().says("2 created");
    (sandbox, rule)
}

#[tokio::test]
async fn a_copy_that_is_not_wanted_stays_and_may_be_wanted_again() {
    let (sandbox, rule) = copied("orphan").await;
    let before = sandbox.regcred("team-b").await;
    sandbox.is_in_step(&sandbox.aimed(&rule, "team-a")).await;
    assert_eq!(sandbox.regcred("team-b").await, before);
    sandbox.is_in_step(&rule).await;
    sandbox.rotate_regcred("rotated").await;
    let narrowed = sandbox.aimed(&rule, "team-a");
    sandbox
        .sync(&narrowed)
        .await
        .succeeded()
        .says("1 configured");
    assert_eq!(sandbox.password("team-b").await.as_deref(), Some("x"));
    sandbox.sync(&rule).await.succeeded().says("1 configured");
    assert_eq!(sandbox.regcred("team-b").await.uid(), before.uid());
    assert_eq!(sandbox.password("team-b").await.as_deref(), Some("rotated"));
}

#[tokio::test]
async fn copies_of_a_rule_that_is_gone_stay() {
    let sandbox = Sandbox::new("orphan-gone").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    sandbox.create_regcred("x").await;
    let set = sandbox.name("set");
    let whole = ["sync", "--set", &set, "--prune-set"];
    let rule = sandbox.rule_and("prunePolicy: Orphan");
    sandbox
        .run_on(&whole, &rule)
        .await
        .succeeded()
        .says("1 created");
    let other = sandbox.renamed(&sandbox.aimed(&sandbox.rule(), "nobody"), "other");
    sandbox.run_on(&whole, &other).await.wrote_nothing();
    assert_eq!(sandbox.password("team-a").await.as_deref(), Some("x"));
    let deleting = sandbox.rule_and("prunePolicy: Delete");
    sandbox
        .run_on(&whole, &deleting)
        .await
        .succeeded()
        .says("1 configured");
    sandbox
        .run_on(&whole, &other)
        .await
        .succeeded()
        .says("1 pruned");
}

#[tokio::test]
async fn pruning_on_purpose_removes_them() {
    let (sandbox, rule) = copied("orphan-pruned").await;
    let narrowed = sandbox.aimed(&rule, "team-a");
    sandbox.sync(&narrowed).await.succeeded();
    let name = sandbox.name("rule");
    let ran = sandbox.run(&["prune", "--set", "files", &name]).await;
    ran.succeeded().says("2 pruned");
    for team in ["team-a", "team-b"] {
        assert_eq!(sandbox.secret(team, "regcred").await, None, "{team}");
    }
}

#[tokio::test]
async fn another_rule_that_adopts_an_orphan_gets_it() {
    let (sandbox, rule) = copied("orphan-handed").await;
    let before = sandbox.regcred("team-b").await;
    let narrowed = sandbox.aimed(&rule, "team-a");
    let other = sandbox.renamed(&sandbox.aimed(&sandbox.rule(), "team-b"), "other");
    let ran = sandbox.sync(&format!("{narrowed}---\n{other}")).await;
    ran.failed_with(1).says("was left to stay by rule");
    assert_eq!(sandbox.regcred("team-b").await, before);
    let both = format!("{narrowed}---\n{}", and(&other, "conflictPolicy: Adopt"));
    let ran = sandbox.run_on(&["sync", "-o", "wide"], &both).await;
    ran.succeeded()
        .prints("reason=HandedOver")
        .says("1 configured");
    let after = sandbox.regcred("team-b").await;
    assert_eq!(after.uid(), before.uid());
    assert_eq!(
        label(&after, "copyrator.dev/rule"),
        Some(&*sandbox.name("other"))
    );
    assert_eq!(annotation(&after, "copyrator.dev/prune"), Some("Delete"));
    sandbox.is_in_step(&both).await;
}

#[tokio::test]
async fn a_policy_that_changes_reaches_the_copies() {
    let (sandbox, rule) = copied("orphan-changed").await;
    sandbox
        .sync(&sandbox.rule())
        .await
        .succeeded()
        .says("2 configured");
    sandbox.sync(&rule).await.succeeded().says("2 configured");
    sandbox.is_in_step(&sandbox.aimed(&rule, "team-a")).await;
    assert_eq!(sandbox.password("team-b").await.as_deref(), Some("x"));
}

#[tokio::test]
async fn a_rule_that_is_narrowed_and_told_to_leave_copies_in_one_edit_leaves_them() {
    let sandbox = Sandbox::new("orphan-narrowed").await;
    sandbox.namespaces(&["source", "team-a", "team-b"]).await;
    sandbox.create_regcred("x").await;
    let rule = sandbox.rule();
    sandbox.sync(&rule).await.succeeded().says("2 created");
    let edited = sandbox.aimed(&sandbox.rule_and("prunePolicy: Orphan"), "team-a");
    let ran = sandbox.sync(&edited).await.succeeded();
    ran.says("1 configured, 1 orphaned")
        .prints("secret/regcred orphaned in namespace");
    let left = sandbox.regcred("team-b").await;
    assert_eq!(annotation(&left, "copyrator.dev/prune"), Some("Orphan"));
    sandbox.is_in_step(&edited).await;
    let deleting = sandbox.aimed(&rule, "team-a");
    sandbox
        .sync(&deleting)
        .await
        .succeeded()
        .says("1 configured");
    assert_eq!(sandbox.regcred("team-b").await.uid(), left.uid());
}
