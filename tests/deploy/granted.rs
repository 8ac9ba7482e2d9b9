//! `rbac`: whoever has the roles that it prints can do what they are for, and no more.

use k8s_openapi::api::core::v1::Secret;
use kube::{
    Api,
    api::{Patch, PatchParams},
};
use serde_json::json;
use test_cluster::TestCluster;

use super::chart::kubectl_apply;
use crate::sandbox::{Ran, Sandbox, secret};

/// The user name of the test's service account.
fn account(sandbox: &Sandbox) -> String {
    format!("system:serviceaccount:{}:bot", sandbox.name("source"))
}

async fn rbac(sandbox: &Sandbox, rule: &str, more: &[&str]) -> Ran {
    let arguments = [&["rbac", "--for=sync", "-f", "-"], more].concat();
    sandbox.program(&arguments).stdin(rule).run().await
}

async fn check(sandbox: &Sandbox, rule: &str) -> Ran {
    rbac(sandbox, rule, &["--check", "--as", &account(sandbox)]).await
}

async fn sync(sandbox: &Sandbox, rule: &str) -> Ran {
    let account = account(sandbox);
    let program = sandbox.program(&["sync", "-f", "-", "--as", &account]);
    program.stdin(rule).run().await
}

/// Gives the test's account the roles that are printed for a rule, and waits until they hold.
async fn grant(sandbox: &Sandbox, rule: &str) -> Ran {
    let account = format!("--service-account={}/bot", sandbox.name("source"));
    let printed = rbac(sandbox, rule, &[&account]).await.succeeded();
    kubectl_apply(&printed.stdout);
    for _ in 0..100 {
        if check(sandbox, rule).await.code() == 0 {
            return printed;
        }
    }
    panic!(
        "the roles don't hold: {}",
        check(sandbox, rule).await.stdout
    )
}

fn may(account: &str, words: &[&str]) -> bool {
    let mut kubectl = TestCluster::shared().kubectl();
    let kubectl = kubectl.args(["auth", "can-i", "--as", account]).args(words);
    kubectl.output().expect("kubectl runs").status.success()
}

async fn two_teams(prefix: &str) -> Sandbox {
    let sandbox = Sandbox::new(prefix).await;
    sandbox.namespaces(&["source", "team-a", "team-b"]).await;
    sandbox.create_regcred("x").await;
    sandbox
}

#[tokio::test]
async fn what_is_missing_is_told_with_the_command_that_grants_it() {
    let sandbox = two_teams("rbac-missing").await;
    let ran = check(&sandbox, &sandbox.rule()).await.failed_with(1);
    let ran = ran.prints("missing: get,list namespaces in the whole cluster\n");
    let ran = ran.prints("missing: create secrets in the whole cluster\n");
    let account = format!("--service-account={}/bot", sandbox.name("source"));
    ran.says("kubectl copyrator rbac --for=sync").says(&account);
}

#[tokio::test]
async fn a_glob_over_names_is_told_as_the_reason_for_wide_rights() {
    let sandbox = two_teams("rbac-glob").await;
    let rule = sandbox.rule_with("Secret", "names: ['reg*']", "");
    let ran = rbac(&sandbox, &rule, &[]).await.succeeded();
    let reads = format!(
        "note: rule {}: all Secrets in namespace {} can be read, because spec.source.names has reg*",
        sandbox.name("rule"),
        sandbox.name("source")
    );
    ran.says(&reads)
        .says("all Secrets of the cluster can be read, changed and deleted");
}

#[tokio::test]
async fn with_the_roles_for_a_selector_a_sync_does_its_work() {
    let sandbox = two_teams("rbac-selector").await;
    let rule = sandbox.rule_with("Secret", "selector: {matchLabels: {share: 'yes'}}", "");
    let mut shared = secret("shared", &[("password", "x")]);
    shared.metadata.labels = Some([("share".to_owned(), "yes".to_owned())].into());
    sandbox.create_secret("source", &shared).await;
    sync(&sandbox, &rule).await.failed_with(1);
    grant(&sandbox, &rule).await;
    sync(&sandbox, &rule).await.succeeded().says("2 created");
    sync(&sandbox, &rule).await.succeeded().says("2 unchanged");
    let account = account(&sandbox);
    assert!(!may(&account, &["get", "configmaps", "-A"]));
}

/// A rule that names its originals and its target exactly.
fn exact(sandbox: &Sandbox) -> String {
    let rule = sandbox.rule_with("Secret", "names: [regcred]", "name: exact-copy");
    rule.replace(&sandbox.name("team-*"), &sandbox.name("team-a"))
}

#[tokio::test]
async fn with_the_roles_for_exact_names_a_sync_does_its_work() {
    let sandbox = two_teams("rbac-exact").await;
    let rule = exact(&sandbox);
    sync(&sandbox, &rule).await.failed_with(1);
    let printed = grant(&sandbox, &rule).await;
    assert_eq!(printed.stderr, "");
    sync(&sandbox, &rule).await.succeeded().says("1 created");
    sync(&sandbox, &rule).await.succeeded().says("1 unchanged");
    let changed = Patch::Merge(json!({"stringData": {"password": "y"}}));
    let secrets: Api<Secret> = sandbox.api("source");
    let usual = PatchParams::default();
    let patched = secrets.patch("regcred", &usual, &changed).await;
    patched.expect("the original can be changed");
    sync(&sandbox, &rule).await.succeeded().says("1 configured");
    let account = account(&sandbox);
    let (source, team) = (sandbox.name("source"), sandbox.name("team-b"));
    for words in [
        &["list", "secrets", "-A"][..],
        &["get", "secrets/other", "-n", &source],
        &["update", "secrets/regcred", "-n", &source],
        &["create", "secrets", "-n", &team],
    ] {
        assert!(!may(&account, words), "{words:?}");
    }
    assert!(may(&account, &["get", "secrets/regcred", "-n", &source]));
}

#[tokio::test]
async fn with_the_roles_for_exact_names_copies_are_pruned() {
    let sandbox = two_teams("rbac-pruned").await;
    let rule = exact(&sandbox);
    grant(&sandbox, &rule).await;
    sync(&sandbox, &rule).await.succeeded().says("1 created");
    // The copies of a rule that asks for none any more have the same name.
    let gone = rule.replace(
        "names: [regcred]",
        "names: [regcred], types: [example.com/none]",
    );
    sync(&sandbox, &gone).await.succeeded().says("1 pruned");
}
