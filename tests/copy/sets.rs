//! Sets: rules from files that are pruned together, and never touch what another set made.

use crate::sandbox::{Sandbox, label, secret};

/// Secrets `one` and `two`, and a rule of one name for each.
async fn two_rules(sandbox: Sandbox) -> (Sandbox, [String; 2]) {
    sandbox.namespaces(&["source", "team-a"]).await;
    for name in ["one", "two"] {
        let original = secret(name, &[("k", "v")]);
        sandbox.create_secret("source", &original).await;
    }
    let rules = ["one", "two"].map(|name| {
        let rule = sandbox.rule_with("Secret", &format!("names: [{name}]"), "");
        sandbox.renamed(&rule, name)
    });
    (sandbox, rules)
}

impl Sandbox {
    async fn sync_set(&self, set: &str, rules: &str) -> crate::sandbox::Ran {
        self.run_on(&["sync", "--set", set], rules).await
    }

    /// Which of the two copies are there.
    async fn copies(&self) -> Vec<&'static str> {
        let mut there = Vec::new();
        for name in ["one", "two"] {
            if self.secret("team-a", name).await.is_some() {
                there.push(name);
            }
        }
        there
    }
}

#[tokio::test]
async fn rules_of_one_name_in_two_sets_live_side_by_side() {
    let (sandbox, rules) = two_rules(Sandbox::new("sets-aside").await).await;
    let [one, two] = rules.map(|rule| {
        let named = ["one", "two"].map(|name| sandbox.name(name));
        let rule = rule.replace(&format!("name: {}", named[0]), "name: sets-same");
        rule.replace(&format!("name: {}", named[1]), "name: sets-same")
    });
    assert!(one.contains("name: sets-same") && two.contains("name: sets-same"));
    sandbox.sync_set("a", &one).await.succeeded().says("1 created");
    sandbox.sync_set("b", &two).await.succeeded().says("1 created");
    for (set, rule) in [("a", &one), ("b", &two)] {
        sandbox.sync_set(set, rule).await.wrote_nothing();
        let ran = sandbox.run_on(&["sync", "--set", set, "--prune-set"], rule).await;
        ran.wrote_nothing().says("1 unchanged");
    }
    let copy = sandbox.secret("team-a", "two").await.unwrap();
    assert_eq!(label(&copy, "copyrator.dev/set"), Some("b"));
    assert_eq!(sandbox.copies().await, ["one", "two"]);
}

#[tokio::test]
async fn a_whole_set_loses_the_copies_of_rules_that_are_gone() {
    let (sandbox, [one, two]) = two_rules(Sandbox::new("sets-whole").await).await;
    let both = format!("{one}---\n{two}");
    sandbox.sync_set("whole", &both).await.succeeded().says("2 created");
    sandbox.sync_set("other", &both).await.failed_with(1).says("2 conflicts");
    sandbox.sync_set("whole", &one).await.wrote_nothing();
    let whole = ["sync", "--set", "whole", "--prune-set"];
    let ran = sandbox.run_on(&["diff", "--set", "whole", "--prune-set"], &one).await;
    ran.failed_with(1).prints("name: two");
    let rehearsed = [&whole[..], &["--dry-run"]].concat();
    sandbox.run_on(&rehearsed, &one).await.succeeded().says("1 pruned");
    assert_eq!(sandbox.copies().await, ["one", "two"]);
    let ran = sandbox.run_on(&whole, &one).await.succeeded();
    ran.says("1 pruned").says("1 unchanged");
    assert_eq!(sandbox.copies().await, ["one"]);
}

#[tokio::test]
async fn a_whole_set_leaves_the_copies_of_other_sets() {
    let (sandbox, [one, two]) = two_rules(Sandbox::new("sets-other").await).await;
    sandbox.sync_set("mine", &one).await.succeeded();
    sandbox.sync(&two).await.succeeded();
    let empty = sandbox.aimed(&one, "nobody");
    let ran = sandbox.run_on(&["sync", "--set", "mine", "--prune-set"], &empty).await;
    ran.succeeded().says("1 pruned");
    assert_eq!(sandbox.copies().await, ["two"]);
}

#[tokio::test]
async fn the_clusters_own_set_is_left_alone() {
    let (sandbox, [one, two]) = two_rules(Sandbox::alone("sets-cluster").await).await;
    sandbox.apply_rule(&one).await;
    sandbox.run(&["sync"]).await.succeeded().says("1 created");
    let ran = sandbox.run_on(&["sync", "--set", "whole", "--prune-set"], &two).await;
    ran.succeeded().says("1 created");
    let narrowed = sandbox.aimed(&two, "nobody");
    let ran = sandbox.run_on(&["sync", "--set", "whole", "--prune-set"], &narrowed).await;
    ran.succeeded().says("1 pruned");
    assert_eq!(sandbox.copies().await, ["one"]);
}

#[tokio::test]
async fn what_another_set_made_is_not_handed_over() {
    let (sandbox, [one, _]) = two_rules(Sandbox::new("sets-held").await).await;
    sandbox.sync_set("first", &one).await.succeeded();
    let rule = sandbox.name("one");
    let ran = sandbox.sync_set("second", &one).await.failed_with(1);
    ran.says(&format!("belongs to rule {rule} of set first"));
    let copy = sandbox.secret("team-a", "one").await.unwrap();
    assert_eq!(label(&copy, "copyrator.dev/set"), Some("first"));
}

#[tokio::test]
async fn a_whole_set_is_not_pruned_where_a_source_cannot_be_known() {
    let (sandbox, [one, two]) = two_rules(Sandbox::new("sets-unknown").await).await;
    let both = format!("{one}---\n{two}");
    sandbox.sync(&both).await.succeeded().says("2 created");
    let lost = one.replace(&sandbox.name("source"), &sandbox.name("typo"));
    let ran = sandbox.run_on(&["sync", "--prune-set"], &lost).await;
    ran.failed_with(1).says("there is no namespace").says("1 pruned");
    assert_eq!(sandbox.copies().await, ["one"], "the rule that is gone is known to be");
}
