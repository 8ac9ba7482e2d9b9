//! The status of rules: what a run tells the cluster, and that it tells nothing that is known.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::sandbox::{Fault, Ran, Sandbox, and, secret};

/// A cluster of its own with a source, some targets and the rule.
async fn ruled(prefix: &str, targets: &[&str]) -> Sandbox {
    let sandbox = Sandbox::alone(prefix).await;
    sandbox.namespaces(&["source"]).await;
    sandbox.namespaces(targets).await;
    sandbox.create_regcred("x").await;
    sandbox.apply_rule(&sandbox.rule()).await;
    sandbox
}

impl Sandbox {
    async fn status(&self, rule: &str) -> Value {
        self.stored_rule(rule).await["status"].clone()
    }

    /// The rule's condition `Ready` as status, reason and message.
    async fn ready(&self, rule: &str) -> [String; 3] {
        let status = self.status(rule).await;
        let ready = &status["conditions"][0];
        assert_eq!(ready["type"], "Ready", "{status}");
        ["status", "reason", "message"]
            .map(|field| ready[field].as_str().expect("a text").to_owned())
    }

    /// Puts something of somebody else's in the place of a copy.
    async fn take_place(&self, namespace: &str) {
        let theirs = secret("regcred", &[("password", "theirs")]);
        self.create_secret_as(namespace, "helm", &theirs).await;
    }

    /// Syncs all rules, and gives the statuses that were written.
    async fn sync_counting(&self, arguments: &[&str]) -> (Ran, usize) {
        let (ran, writes) = self.writes_of(arguments, "").await;
        let statuses = writes.iter().filter(|request| request.contains("/status?"));
        (ran, statuses.count())
    }
}

fn refuse_if(condition: bool) -> Fault {
    let answer = r#"{"kind":"Status","reason":"Forbidden","message":"no"}"#;
    if condition {
        Fault::Answer(StatusCode::FORBIDDEN, &[], answer)
    } else {
        Fault::None
    }
}

#[tokio::test]
async fn a_rule_in_step_says_so_once() {
    let sandbox = ruled("status", &["team-a", "team-b"]).await;
    let (ran, written) = sandbox.sync_counting(&["sync"]).await;
    ran.succeeded().says("2 created");
    assert_eq!(written, 1);
    let ready = sandbox.ready("rule").await;
    assert_eq!(ready, ["True", "InStep", "2 copies are in step"]);
    let rule = sandbox.stored_rule("rule").await;
    let status = &rule["status"];
    assert_eq!(status["observedGeneration"], rule["metadata"]["generation"]);
    assert_eq!(status["sources"], 1);
    let counts = json!({"wanted": 2, "inStep": 2, "conflicts": 0, "failed": 0});
    assert_eq!(status["copies"], counts);
    let time = status["lastSyncTime"].as_str().expect("a time");
    assert_eq!(time.len(), "2006-01-02T15:04:05Z".len(), "{time}");
    assert!(status["failingNamespaces"].is_null());
    for arguments in [&["sync"][..], &["sync", "--verify"], &["prune"], &["diff"]] {
        let (ran, writes) = sandbox.writes_of(arguments, "").await;
        ran.succeeded();
        assert_eq!(writes, [""; 0], "{arguments:?}");
    }
    assert_eq!(sandbox.stored_rule("rule").await, rule);
}

#[tokio::test]
async fn rehearsals_write_none() {
    let sandbox = ruled("status-tried", &["team-a"]).await;
    for arguments in [
        &["sync", "--dry-run"][..],
        &["sync", "--dry-run=server"],
        &["diff"],
        &["prune"],
    ] {
        let (_, written) = sandbox.sync_counting(arguments).await;
        assert_eq!(written, 0, "{arguments:?}");
    }
    assert_eq!(sandbox.status("rule").await, Value::Null);
}

#[tokio::test]
async fn an_edited_rule_is_told_with_its_new_generation() {
    let sandbox = ruled("status-edited", &["team-a", "team-b"]).await;
    sandbox.run(&["sync"]).await.succeeded();
    let before = sandbox.status("rule").await;
    let narrowed = sandbox.aimed(&sandbox.rule(), "team-a");
    sandbox.apply_rule(&narrowed).await;
    sandbox.run(&["sync"]).await.succeeded().says("1 pruned");
    let after = sandbox.status("rule").await;
    assert_eq!(before["observedGeneration"], 1);
    assert_eq!(after["observedGeneration"], 2);
    assert_eq!(after["copies"]["wanted"], 1);
    let time = |status: &Value| status["conditions"][0]["lastTransitionTime"].clone();
    assert_eq!(time(&after), time(&before), "Ready was and is True");
    sandbox
        .apply_rule(&and(&narrowed, "conflictPolicy: Adopt"))
        .await;
    let (ran, written) = sandbox.sync_counting(&["sync"]).await;
    ran.succeeded();
    assert_eq!(written, 1);
    assert_eq!(sandbox.status("rule").await["observedGeneration"], 3);
}

#[tokio::test]
async fn conflicts_are_told_with_their_places() {
    let sandbox = ruled("status-conflict", &["team-a", "team-b"]).await;
    sandbox.take_place("team-b").await;
    sandbox.run(&["sync"]).await.failed_with(1);
    let ready = sandbox.ready("rule").await;
    assert_eq!(
        ready,
        ["False", "Conflicts", "the place of 1 of 2 copies is taken"]
    );
    let status = sandbox.status("rule").await;
    let counts = json!({"wanted": 2, "inStep": 1, "conflicts": 1, "failed": 0});
    assert_eq!(status["copies"], counts);
    let place =
        json!([{"namespace": sandbox.name("team-b"), "name": "regcred", "reason": "NotOurs"}]);
    assert_eq!(status["failingNamespaces"], place);
    let (ran, written) = sandbox.sync_counting(&["sync"]).await;
    ran.failed_with(1);
    assert_eq!(written, 0, "it is told already");
    assert_eq!(sandbox.status("rule").await, status);
    sandbox.delete_secret("team-b", "regcred").await;
    sandbox.run(&["sync"]).await.succeeded();
    assert_eq!(sandbox.ready("rule").await[..2], ["True", "InStep"]);
    assert!(sandbox.status("rule").await["failingNamespaces"].is_null());
}

#[tokio::test]
async fn a_place_that_is_not_free_yet_is_told() {
    let sandbox = ruled("status-waiting", &["team-a", "team-b"]).await;
    sandbox.run(&["sync"]).await.succeeded();
    let hold = json!({"metadata": {"finalizers": ["example.com/hold"]}});
    sandbox
        .patch_secret("team-a", "regcred", "somebody", hold)
        .await;
    sandbox.delete_secret("team-a", "regcred").await;
    sandbox
        .run(&["sync"])
        .await
        .failed_with(1)
        .says("1 skipped");
    let status = sandbox.status("rule").await;
    assert_eq!(status["copies"]["inStep"], 1);
    let [ready, reason, message] = sandbox.ready("rule").await;
    assert_eq!([&*ready, &*reason], ["False", "BeingDeleted"]);
    assert!(
        message.starts_with("1 of 2 copies are in step"),
        "{message}"
    );
    let release = json!({"metadata": {"finalizers": null}});
    sandbox
        .patch_secret("team-a", "regcred", "somebody", release)
        .await;
    sandbox.run(&["sync"]).await.succeeded().says("1 created");
    assert_eq!(sandbox.ready("rule").await[..2], ["True", "InStep"]);
}

#[tokio::test]
async fn of_many_places_that_fail_sixteen_are_listed() {
    let teams: Vec<String> = (10..30).map(|number| format!("team-{number}")).collect();
    let teams: Vec<&str> = teams.iter().map(String::as_str).collect();
    let sandbox = ruled("status-many", &teams).await;
    let proxy = sandbox
        .proxy(|method, uri| refuse_if(method == Method::POST && uri.path().contains("team-")))
        .await;
    proxy
        .program(&["sync"])
        .run()
        .await
        .failed_with(1)
        .says("20 failed");
    let ready = sandbox.ready("rule").await;
    assert_eq!(
        ready,
        ["False", "Failed", "20 copies couldn't be brought in step"]
    );
    let status = sandbox.status("rule").await;
    let failing = status["failingNamespaces"].as_array().expect("a list");
    let places: Vec<&str> = failing
        .iter()
        .filter_map(|one| one["namespace"].as_str())
        .collect();
    let expected: Vec<String> = teams[..16].iter().map(|team| sandbox.name(team)).collect();
    assert_eq!(places, expected, "the first by name");
    assert!(failing.iter().all(|one| one["reason"] == "Forbidden"));
    assert_eq!(status["lastSyncTime"], Value::Null, "nothing was changed");
}

#[tokio::test]
async fn what_stands_in_the_way_of_a_rule_is_told() {
    let sandbox = ruled("status-obstacle", &["team-a"]).await;
    let rule = sandbox.rule();
    let typo = rule.replace(&sandbox.name("source"), &sandbox.name("typo"));
    sandbox.apply_rule(&sandbox.renamed(&typo, "typo")).await;
    let missing = rule.replace("[regcred]", "[missing]");
    sandbox
        .apply_rule(&sandbox.renamed(&missing, "missing"))
        .await;
    let name = format!("name: \"{}{{name}}\"", "a".repeat(247));
    let long = sandbox.rule_with("Secret", "names: [regcred]", &name);
    sandbox.apply_rule(&sandbox.renamed(&long, "long")).await;
    sandbox.run(&["sync"]).await.failed_with(1);
    for (rule, expected) in [
        ("rule", ["True", "InStep"]),
        ("typo", ["False", "SourceNamespaceMissing"]),
        ("missing", ["False", "NothingToCopy"]),
        ("long", ["False", "CopyInvalid"]),
    ] {
        assert_eq!(sandbox.ready(rule).await[..2], expected, "{rule}");
    }
}

#[tokio::test]
async fn a_named_rule_is_the_only_one_that_is_told() {
    let sandbox = ruled("status-named", &["team-a"]).await;
    let other = sandbox.renamed(&sandbox.rule().replace("[regcred]", "[other]"), "other");
    sandbox.apply_rule(&other).await;
    sandbox
        .run(&["sync", &sandbox.name("rule")])
        .await
        .succeeded();
    assert_eq!(sandbox.ready("rule").await[..2], ["True", "InStep"]);
    assert_eq!(sandbox.status("other").await, Value::Null);
}

#[tokio::test]
async fn a_status_that_may_not_be_written_is_no_failure() {
    for (prefix, status, is_told, answer) in [
        (
            "status-forbidden",
            StatusCode::FORBIDDEN,
            true,
            r#"{"kind":"Status","reason":"Forbidden","message":"copyratorrules/status is forbidden"}"#,
        ),
        (
            "status-disputed",
            StatusCode::CONFLICT,
            false,
            r#"{"kind":"Status","reason":"Conflict","message":"the object has been modified"}"#,
        ),
    ] {
        let sandbox = ruled(prefix, &["team-a"]).await;
        let proxy = sandbox
            .proxy(move |method, uri| {
                let is_status = method == Method::PATCH && uri.path().ends_with("/status");
                if is_status {
                    Fault::Answer(status, &[], answer)
                } else {
                    Fault::None
                }
            })
            .await;
        let ran = proxy.program(&["sync"]).run().await.succeeded();
        let ran = ran.says("1 created");
        let warning = format!(
            "Warning: rule {}: its status couldn't be written",
            sandbox.name("rule")
        );
        assert_eq!(ran.stderr.contains(&warning), is_told, "{ran:#?}");
        sandbox.run(&["sync"]).await.wrote_nothing();
        assert_eq!(
            sandbox.ready("rule").await[..2],
            ["True", "InStep"],
            "the next run tells it"
        );
    }
}

#[tokio::test]
async fn a_run_that_was_cut_short_tells_nothing() {
    let sandbox = ruled("status-cut", &["team-a", "team-b"]).await;
    sandbox.take_place("team-a").await;
    let proxy = sandbox
        .proxy(|method, _| refuse_if(method == Method::POST))
        .await;
    let sync = ["sync", "--fail-fast", "--parallelism", "1"];
    proxy
        .program(&sync)
        .run()
        .await
        .failed_with(1)
        .says("1 not reached");
    assert_eq!(sandbox.status("rule").await, Value::Null);
}
