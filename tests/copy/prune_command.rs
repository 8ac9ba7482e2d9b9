//! The command `prune`: copies removed on purpose, and no others.

use http::{Method, StatusCode};

use crate::sandbox::{Fault, Sandbox, secret};

/// Copies `one` and `two` of two rules of these names, in namespaces `team-a` and `team-b`.
async fn copied_by(sandbox: &Sandbox) -> [String; 2] {
    sandbox.namespaces(&["source", "team-a", "team-b"]).await;
    for name in ["one", "two"] {
        let original = secret(name, &[("k", "v")]);
        sandbox.create_secret("source", &original).await;
    }
    ["one", "two"].map(|name| {
        let rule = sandbox.rule_with("Secret", &format!("names: [{name}]"), "");
        sandbox.renamed(&rule, name)
    })
}

/// Copies by rules in the cluster.
async fn in_cluster(prefix: &str) -> (Sandbox, [String; 2]) {
    let sandbox = Sandbox::alone(prefix).await;
    let rules = copied_by(&sandbox).await;
    for rule in &rules {
        sandbox.apply_rule(rule).await;
    }
    sandbox.run(&["sync"]).await.succeeded().says("4 created");
    (sandbox, rules)
}

/// Copies by rules of a set of the test's own.
async fn in_files(prefix: &str) -> (Sandbox, String, String) {
    let sandbox = Sandbox::new(prefix).await;
    let both = copied_by(&sandbox).await.join("---\n");
    let set = sandbox.name("set");
    let ran = sandbox.run_on(&["sync", "--set", &set], &both).await;
    ran.succeeded().says("4 created");
    (sandbox, set, both)
}

async fn count(sandbox: &Sandbox) -> usize {
    let mut count = 0;
    for team in ["team-a", "team-b"] {
        for name in ["one", "two"] {
            count += usize::from(sandbox.secret(team, name).await.is_some());
        }
    }
    count
}

#[tokio::test]
async fn on_its_own_it_removes_what_no_rule_wants_and_does_nothing_else() {
    let (sandbox, [one, two]) = in_cluster("prune-bare").await;
    sandbox
        .sync(&sandbox.renamed(&two, "none"))
        .await
        .failed_with(1);
    sandbox.run(&["prune"]).await.wrote_nothing();
    sandbox.apply_rule(&sandbox.aimed(&one, "team-a")).await;
    sandbox.delete_secret("team-a", "one").await;
    let edit = serde_json::json!({"stringData": {"k": "edited"}});
    sandbox
        .patch_secret("team-b", "two", "somebody", edit)
        .await;
    let edited = sandbox.version("team-b", "two").await;
    for arguments in [
        &["prune", "--dry-run"][..],
        &["prune", "--dry-run=server"],
        &["prune"],
    ] {
        let ran = sandbox.run(arguments).await.succeeded();
        ran.prints("secret/one pruned").says("1 pruned in");
    }
    assert_eq!(sandbox.secret("team-b", "one").await, None);
    assert_eq!(sandbox.secret("team-a", "one").await, None, "it makes none");
    assert_eq!(
        sandbox.version("team-b", "two").await,
        edited,
        "it heals none"
    );
    sandbox.delete_rule("two").await;
    sandbox.run(&["prune"]).await.succeeded().says("2 pruned");
    assert_eq!(count(&sandbox).await, 0);
}

#[tokio::test]
async fn on_its_own_it_leaves_the_copies_of_a_rule_that_rests() {
    let (sandbox, [one, _]) = in_cluster("prune-resting").await;
    let resting = crate::sandbox::and(&sandbox.aimed(&one, "team-a"), "suspend: true");
    sandbox.apply_rule(&resting).await;
    sandbox
        .run(&["prune"])
        .await
        .wrote_nothing()
        .says("spec.suspend");
    sandbox
        .run(&["prune", &sandbox.name("one")])
        .await
        .succeeded()
        .says("2 pruned");
    sandbox.run(&["sync"]).await.wrote_nothing();
}

#[tokio::test]
async fn a_rules_copies_are_removed_whether_or_not_it_wants_them_or_exists() {
    let (sandbox, _) = in_cluster("prune-named").await;
    let one = sandbox.name("one");
    for dry_run in ["--dry-run", "--dry-run=server"] {
        let ran = sandbox.run(&["prune", &one, dry_run]).await.succeeded();
        ran.says("2 pruned");
    }
    assert_eq!(count(&sandbox).await, 4);
    sandbox
        .run(&["prune", &one])
        .await
        .succeeded()
        .says("2 pruned in");
    assert_eq!(count(&sandbox).await, 2);
    sandbox.run(&["sync"]).await.succeeded().says("2 created");
    sandbox.delete_rule("one").await;
    sandbox
        .run(&["prune", &one])
        .await
        .succeeded()
        .says("2 pruned in");
    assert_eq!(count(&sandbox).await, 2);
    let ran = sandbox.run(&["prune", &one]).await.wrote_nothing();
    ran.says(&format!("Warning: rule {one}: no copy of it was found"));
}

#[tokio::test]
async fn all_is_about_the_clusters_own_set() {
    let (sandbox, [_, two]) = in_cluster("prune-all").await;
    sandbox.delete_rule("one").await;
    sandbox.namespaces(&["other"]).await;
    let of_file = sandbox.renamed(&sandbox.aimed(&two, "other"), "file");
    let set = sandbox.name("set");
    sandbox
        .run_on(&["sync", "--set", &set], &of_file)
        .await
        .succeeded();
    sandbox
        .run(&["prune", "--all"])
        .await
        .succeeded()
        .says("4 pruned");
    assert!(sandbox.secret("other", "two").await.is_some());
    sandbox.run(&["prune", "--all"]).await.wrote_nothing();
    let ran = sandbox.run(&["prune", "--all", "--set", &set]).await;
    ran.succeeded().says("1 pruned");
}

#[tokio::test]
async fn the_rules_of_a_file_lose_their_copies() {
    let (sandbox, set, both) = in_files("prune-file").await;
    sandbox
        .run_on(&["prune"], &both)
        .await
        .wrote_nothing()
        .says("no copy of it was found");
    let (one, _) = both.split_once("---\n").expect("two rules");
    let ran = sandbox
        .run_on(&["prune", "--set", &set, "-o", "json"], one)
        .await;
    let ran = ran.succeeded();
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(report["summary"]["pruned"], 2);
    let objects = report["objects"].as_array().expect("a list");
    assert!(
        objects
            .iter()
            .all(|object| object["rule"] == *sandbox.name("one"))
    );
    assert_eq!(count(&sandbox).await, 2);
    let names: Vec<String> = ["one", "two"].map(|name| sandbox.name(name)).into();
    let ran = sandbox
        .run(&["prune", "--set", &set, &names[0], &names[1]])
        .await;
    ran.succeeded().says("2 pruned").says(&format!(
        "rule {} of set {set}: no copy of it was found",
        names[0]
    ));
    assert_eq!(count(&sandbox).await, 0);
}

#[tokio::test]
async fn what_was_named_and_belongs_to_another_set_stays() {
    let (sandbox, _, _) = in_files("prune-other-set").await;
    let one = sandbox.name("one");
    sandbox
        .run(&["prune", &one])
        .await
        .wrote_nothing()
        .says("no copy of it was found");
    assert_eq!(count(&sandbox).await, 4);
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_refused_before_anything_is_asked() {
    let sandbox = Sandbox::new("prune-refused").await;
    let proxy = sandbox.proxy(|_, _| Fault::None).await;
    for (arguments, why) in [
        (
            &["prune", "--set", "x"][..],
            "give rules by name, files with -f, or --all",
        ),
        (&["prune", "rule", "--all"], "--all is about all rules"),
        (&["prune", "-f", "-", "--all"], "--all is about all rules"),
        (&["prune", "rule", "-f", "-"], "cannot be used with"),
        (&["sync", "--set", "x"], "--set is about rules from files"),
        (
            &["sync", "--prune-set"],
            "--prune-set is about rules from files",
        ),
        (
            &["diff", "rule", "--prune-set"],
            "--prune-set is about rules from files",
        ),
        (
            &["sync", "-f", "-", "--prune-set", "--prune=false"],
            "contradict each other",
        ),
    ] {
        let invocation = proxy.program(arguments).stdin(&sandbox.rule());
        let code = if arguments[0] == "diff" { 2 } else { 1 };
        invocation.run().await.failed_with(code).says(why);
    }
    assert_eq!(proxy.requests(), [""; 0]);
}

#[tokio::test]
async fn copies_that_may_not_be_listed_are_not_said_to_be_missing() {
    let (sandbox, set, _) = in_files("prune-unlisted").await;
    let proxy = sandbox
        .proxy(|method, uri| {
            let answer =
                r#"{"kind":"Status","reason":"Forbidden","message":"secrets is forbidden"}"#;
            let is_list = method == Method::GET && uri.path() == "/api/v1/secrets";
            if is_list {
                Fault::Answer(StatusCode::FORBIDDEN, &[], answer)
            } else {
                Fault::None
            }
        })
        .await;
    let one = sandbox.name("one");
    let ran = proxy.program(&["prune", "--set", &set, &one]).run().await;
    let ran = ran.failed_with(1).says("cannot list secrets");
    assert!(
        !ran.stderr.contains("no copy of it was found"),
        "nobody looked: {ran:#?}"
    );
    assert_eq!(count(&sandbox).await, 4);
}
