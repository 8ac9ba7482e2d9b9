//! Sets: rules from files that are pruned together, and never touch what another set made.

use crate::sandbox::{Ran, Sandbox, label, secret};

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
    /// Syncs rules of a set of the test's own.
    async fn sync_set(&self, set: &str, rules: &str) -> Ran {
        let set = self.name(set);
        self.run_on(&["sync", "--set", &set], rules).await
    }

    /// Runs the program on rules that are a whole set of the test's own.
    async fn on_whole_set(&self, arguments: &[&str], set: &str, rules: &str) -> Ran {
        let set = self.name(set);
        let arguments = [arguments, &["--set", &set, "--prune-set"]].concat();
        self.run_on(&arguments, rules).await
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
    sandbox
        .sync_set("a", &one)
        .await
        .succeeded()
        .says("1 created");
    sandbox
        .sync_set("b", &two)
        .await
        .succeeded()
        .says("1 created");
    for (set, rule) in [("a", &one), ("b", &two)] {
        sandbox.sync_set(set, rule).await.wrote_nothing();
        let ran = sandbox.on_whole_set(&["sync"], set, rule).await;
        ran.wrote_nothing().says("1 unchanged");
    }
    let copy = sandbox.secret("team-a", "two").await.unwrap();
    assert_eq!(label(&copy, "copyrator.dev/set"), Some(&*sandbox.name("b")));
    assert_eq!(sandbox.copies().await, ["one", "two"]);
}

#[tokio::test]
async fn a_whole_set_loses_the_copies_of_rules_that_are_gone() {
    let (sandbox, [one, two]) = two_rules(Sandbox::new("sets-whole").await).await;
    let both = format!("{one}---\n{two}");
    sandbox
        .sync_set("whole", &both)
        .await
        .succeeded()
        .says("2 created");
    sandbox
        .sync_set("other", &both)
        .await
        .failed_with(1)
        .says("2 conflicts");
    sandbox.sync_set("whole", &one).await.wrote_nothing();
    let ran = sandbox.on_whole_set(&["diff"], "whole", &one).await;
    ran.failed_with(1).prints("name: two");
    let ran = sandbox
        .on_whole_set(&["sync", "--dry-run"], "whole", &one)
        .await;
    ran.succeeded().says("1 pruned");
    assert_eq!(sandbox.copies().await, ["one", "two"]);
    let ran = sandbox
        .on_whole_set(&["sync"], "whole", &one)
        .await
        .succeeded();
    ran.says("1 pruned").says("1 unchanged");
    assert_eq!(sandbox.copies().await, ["one"]);
}

#[tokio::test]
async fn a_whole_set_leaves_the_copies_of_other_sets() {
    let (sandbox, [one, two]) = two_rules(Sandbox::new("sets-other").await).await;
    sandbox.sync_set("mine", &one).await.succeeded();
    sandbox.sync(&two).await.succeeded();
    let empty = sandbox.aimed(&one, "nobody");
    let ran = sandbox.on_whole_set(&["sync"], "mine", &empty).await;
    ran.succeeded().says("1 pruned");
    assert_eq!(sandbox.copies().await, ["two"]);
}

#[tokio::test]
async fn the_clusters_own_set_is_left_alone() {
    let (sandbox, [one, two]) = two_rules(Sandbox::alone("sets-cluster").await).await;
    sandbox.apply_rule(&one).await;
    sandbox.run(&["sync"]).await.succeeded().says("1 created");
    let ran = sandbox.on_whole_set(&["sync"], "whole", &two).await;
    ran.succeeded().says("1 created");
    let narrowed = sandbox.aimed(&two, "nobody");
    let ran = sandbox.on_whole_set(&["sync"], "whole", &narrowed).await;
    ran.succeeded().says("1 pruned");
    assert_eq!(sandbox.copies().await, ["one"]);
}

#[tokio::test]
async fn what_another_set_made_is_not_handed_over() {
    let (sandbox, [one, _]) = two_rules(Sandbox::new("sets-held").await).await;
    sandbox.sync_set("first", &one).await.succeeded();
    let (rule, set) = (sandbox.name("one"), sandbox.name("first"));
    let ran = sandbox.sync_set("second", &one).await.failed_with(1);
    ran.says(&format!("belongs to rule {rule} of set {set}"));
    let copy = sandbox.secret("team-a", "one").await.unwrap();
    assert_eq!(
        label(&copy, "copyrator.dev/set"),
        Some(&*sandbox.name("first"))
    );
}

#[tokio::test]
async fn a_whole_set_is_not_pruned_where_a_source_cannot_be_known() {
    let (sandbox, [one, two]) = two_rules(Sandbox::new("sets-unknown").await).await;
    let both = format!("{one}---\n{two}");
    sandbox
        .sync_set("unknown", &both)
        .await
        .succeeded()
        .says("2 created");
    let lost = one.replace(&sandbox.name("source"), &sandbox.name("typo"));
    let ran = sandbox.on_whole_set(&["sync"], "unknown", &lost).await;
    ran.failed_with(1)
        .says("there is no namespace")
        .says("1 pruned");
    assert_eq!(
        sandbox.copies().await,
        ["one"],
        "the rule that is gone is known to be"
    );
}
