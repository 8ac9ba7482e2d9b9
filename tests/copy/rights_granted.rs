//! The manifests that are printed for missing rights: applied as they are, they let the run succeed.

use serde_json::Value;

use super::rights_people::{Person, apply, manifests};
use crate::sandbox::Sandbox;

async fn two_teams(prefix: &str) -> Sandbox {
    let sandbox = Sandbox::new(prefix).await;
    sandbox.namespaces(&["source", "team-a", "team-b"]).await;
    sandbox.create_regcred("x").await;
    sandbox
}

#[tokio::test]
async fn what_is_printed_grants_what_is_missing_and_nothing_more() {
    let sandbox = two_teams("granted").await;
    sandbox.namespaces(&["elsewhere"]).await;
    let person = Person::who_reads(&sandbox).await;
    let teams = ["team-a", "team-b"].map(|team| sandbox.name(team));
    let ran = person.sync(&sandbox.rule()).await.failed_with(1);
    apply(manifests(&ran));
    for team in &teams {
        person.eventually_may("create", team, "").await;
    }
    let ran = person.sync(&sandbox.rule()).await.succeeded();
    assert!(!ran.says("2 created").stderr.contains("hint"));
    for verb in ["patch", "delete"] {
        assert!(!person.may(verb, &teams[0], "regcred").await, "{verb}");
    }
    let elsewhere = sandbox.name("elsewhere");
    assert!(!person.may("create", &elsewhere, "").await);
}

#[tokio::test]
async fn nothing_is_pruned_without_the_right_until_it_is_granted() {
    let sandbox = two_teams("undeletable").await;
    let rule = sandbox.rule();
    sandbox.sync(&rule).await.succeeded().says("2 created");
    let rule = rule.replace(&sandbox.name("team-*"), &sandbox.name("team-a"));
    let person = Person::who_reads(&sandbox).await;
    let ran = person.sync(&rule).await.failed_with(1);
    let ran = ran.says("cannot delete secret/regcred").says("1 failed");
    assert!(sandbox.secret("team-b", "regcred").await.is_some());
    apply(manifests(&ran));
    let team = sandbox.name("team-b");
    person.eventually_may("delete", &team, "regcred").await;
    assert!(!person.may("delete", &team, "another").await);
    person.sync(&rule).await.succeeded().says("1 pruned");
    assert!(sandbox.secret("team-b", "regcred").await.is_none());
}

#[tokio::test]
async fn the_impersonated_one_is_asked_about_and_granted_to() {
    let sandbox = two_teams("impersonated").await;
    let account = format!("system:serviceaccount:{}:bot", sandbox.name("source"));
    let bot = Person::named(&sandbox, &account).await;
    let arguments = ["sync", "--as", &account, "-f", "-"];
    let run = async || {
        let program = sandbox.program(&arguments).stdin(&sandbox.rule());
        program.run().await
    };
    let ran = run().await.failed_with(1);
    let ran = ran.says("2 failed").says("kind: ServiceAccount");
    apply(manifests(&ran));
    for team in ["team-a", "team-b"] {
        bot.eventually_may("create", &sandbox.name(team), "").await;
    }
    run().await.succeeded().says("2 created");
}

#[tokio::test]
async fn a_report_has_the_permissions_and_the_grant() {
    let sandbox = two_teams("reported-rights").await;
    let person = Person::who_reads(&sandbox).await;
    let program = person.program(&["sync", "-o", "json", "-f", "-"]);
    let ran = program.stdin(&sandbox.rule()).run().await.failed_with(1);
    let report: Value = serde_json::from_str(&ran.stdout).expect("the report is JSON");
    let teams = ["team-a", "team-b"].map(|team| sandbox.name(team));
    assert_eq!(
        report["missingPermissions"],
        serde_json::json!([
            {"verb": "create", "group": "", "resource": "secrets", "namespaces": teams}
        ])
    );
    apply(&report["grant"].to_string());
    for team in &teams {
        person.eventually_may("create", team, "").await;
    }
    let program = person.program(&["sync", "-o", "json", "-f", "-"]);
    let ran = program.stdin(&sandbox.rule()).run().await.succeeded();
    let report: Value = serde_json::from_str(&ran.stdout).expect("the report is JSON");
    assert_eq!(report["summary"]["created"], 2);
    assert_eq!(report["grant"], Value::Null);
}
