//! `spec.suspend`: a rule that rests, and what others may make of its copies.

use serde_json::json;

use crate::sandbox::{Sandbox, and, secret};

#[tokio::test]
async fn nothing_is_made_changed_or_removed_for_a_rule_that_rests() {
    let sandbox = Sandbox::alone("resting").await;
    sandbox.namespaces(&["source", "team-a", "team-b"]).await;
    sandbox.create_regcred("x").await;
    sandbox.apply_rule(&sandbox.rule()).await;
    sandbox.run(&["sync"]).await.succeeded().says("2 created");
    let resting = sandbox.aimed(&sandbox.rule_and("suspend: true"), "team-[ac]");
    sandbox.apply_rule(&resting).await;
    sandbox.namespaces(&["team-c"]).await;
    sandbox.rotate_regcred("rotated").await;
    let before = [
        sandbox.regcred("team-a").await,
        sandbox.regcred("team-b").await,
    ];
    let proxy = sandbox.proxy(|_, _| crate::sandbox::Fault::None).await;
    let name = sandbox.name("rule");
    for arguments in [&["sync"][..], &["sync", &name], &["prune"]] {
        let ran = proxy.program(arguments).run().await.wrote_nothing();
        ran.says(&format!(
            "Warning: rule {name}: spec.suspend: the rule rests"
        ));
    }
    let mut writes = proxy.requests();
    writes.retain(|request| !request.starts_with("GET ") && !request.contains("/status?"));
    assert_eq!(writes, [""; 0]);
    let after = [
        sandbox.regcred("team-a").await,
        sandbox.regcred("team-b").await,
    ];
    assert_eq!(after, before);
    let rule = sandbox.stored_rule("rule").await;
    let ready = &rule["status"]["conditions"][0];
    assert_eq!(ready["status"], "Unknown");
    assert_eq!(ready["reason"], "Suspended");
    assert_eq!(rule["status"]["copies"]["wanted"], 2, "as it was before");
    sandbox.run(&["diff"]).await.succeeded();
    sandbox
        .apply_rule(&sandbox.aimed(&sandbox.rule(), "team-[ac]"))
        .await;
    let ran = sandbox.run(&["sync"]).await.succeeded();
    ran.says("1 created, 1 configured, 1 pruned");
    let rule = sandbox.stored_rule("rule").await;
    assert_eq!(rule["status"]["conditions"][0]["reason"], "InStep");
}

#[tokio::test]
async fn another_rule_gets_nothing_that_a_resting_one_has() {
    let sandbox = Sandbox::alone("resting-holder").await;
    sandbox.namespaces(&["source", "second", "team-a"]).await;
    sandbox.create_regcred("first").await;
    let second = secret("regcred", &[("password", "second")]);
    sandbox.create_secret("second", &second).await;
    sandbox.apply_rule(&sandbox.rule()).await;
    sandbox.run(&["sync"]).await.succeeded();
    sandbox.apply_rule(&sandbox.rule_and("suspend: true")).await;
    let other = sandbox.rule_and("conflictPolicy: Overwrite");
    let other = other.replace(&sandbox.name("source"), &sandbox.name("second"));
    sandbox.apply_rule(&sandbox.renamed(&other, "other")).await;
    let ran = sandbox.run(&["sync"]).await.failed_with(1);
    ran.says(&format!("belongs to rule {}", sandbox.name("rule")));
    assert_eq!(sandbox.password("team-a").await.as_deref(), Some("first"));
    sandbox.delete_secret("team-a", "regcred").await;
    sandbox.run(&["sync"]).await.succeeded().says("1 created");
    assert_eq!(sandbox.password("team-a").await.as_deref(), Some("second"));
}

#[tokio::test]
async fn a_resting_rule_of_a_file_leaves_its_copies() {
    let sandbox = Sandbox::new("resting-file").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    sandbox.create_regcred("x").await;
    let set = sandbox.name("set");
    let whole = ["sync", "--set", &set, "--prune-set"];
    sandbox
        .run_on(&whole, &sandbox.rule())
        .await
        .succeeded()
        .says("1 created");
    let resting = and(&sandbox.aimed(&sandbox.rule(), "nobody"), "suspend: true");
    let edit = json!({"stringData": {"password": "edited"}});
    sandbox
        .patch_secret("team-a", "regcred", "somebody", edit)
        .await;
    sandbox
        .run_on(&whole, &resting)
        .await
        .wrote_nothing()
        .says("spec.suspend");
    assert_eq!(sandbox.password("team-a").await.as_deref(), Some("edited"));
}
