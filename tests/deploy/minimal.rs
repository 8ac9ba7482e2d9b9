//! `deploy --roles=minimal`: rights that follow the rules of the cluster.

use k8s_openapi::api::rbac::v1::{ClusterRole, Role};
use kube::Api;

use crate::sandbox::{Ran, Sandbox};

async fn deploy(sandbox: &Sandbox, more: &[&str]) -> Ran {
    let (name, namespace) = (sandbox.name("it"), sandbox.name("system"));
    let arguments = ["deploy", "--roles=minimal", "--only=rules", "--name", &name];
    let arguments = [&arguments[..], &["-n", &namespace], more].concat();
    sandbox.run(&arguments).await
}

/// A rule with one exact target.
fn rule(sandbox: &Sandbox, name: &str, team: &str) -> String {
    let rule = sandbox.rule_with("Secret", "names: [regcred]", "");
    let rule = rule.replace(&sandbox.name("team-*"), &sandbox.name(team));
    rule.replace(
        &format!("name: {}", sandbox.name("rule")),
        &format!("name: {}", sandbox.name(name)),
    )
}

#[tokio::test]
async fn rights_come_and_go_with_the_rules() {
    let sandbox = Sandbox::alone("minimal").await;
    sandbox.namespaces(&["source", "team-a", "team-b"]).await;
    sandbox.apply_rule(&rule(&sandbox, "one", "team-a")).await;
    sandbox.apply_rule(&rule(&sandbox, "two", "team-b")).await;
    let (team_a, team_b) = (sandbox.name("team-a"), sandbox.name("team-b"));
    let name = sandbox.name("it");
    let ran = deploy(&sandbox, &[]).await.succeeded();
    let created = format!("role.rbac.authorization.k8s.io/{name} in namespace {team_b} created");
    ran.prints(&created);
    let roles: Api<Role> = sandbox.api("team-a");
    assert!(roles.get_opt(&name).await.expect("an answer").is_some());
    sandbox.delete_rule("one").await;
    let ran = deploy(&sandbox, &[]).await.succeeded();
    let gone = format!("role.rbac.authorization.k8s.io \"{name}\" deleted from namespace {team_a}");
    ran.prints(&gone);
    assert!(roles.get_opt(&name).await.expect("an answer").is_none());
    let wide: Api<ClusterRole> = Api::all(sandbox.client.clone());
    let wide = wide.get(&name).await.expect("it is there");
    let granted = wide.rules.unwrap_or_default().into_iter();
    let mut to_secrets = granted.filter(|rule| {
        let resources = rule.resources.as_deref().unwrap_or_default();
        resources.contains(&"secrets".to_owned())
    });
    assert!(to_secrets.all(|rule| rule.resource_names == Some(vec!["regcred".to_owned()])));
    deploy(&sandbox, &["--remove"]).await.succeeded();
}

#[tokio::test]
async fn a_namespace_that_is_not_there_yet_is_told() {
    let sandbox = Sandbox::alone("minimal-absent").await;
    sandbox.namespaces(&["source"]).await;
    sandbox.apply_rule(&rule(&sandbox, "one", "team-a")).await;
    let absent = sandbox.name("team-a");
    let told = format!("namespace {absent} isn't there yet, so there are no rights in it");
    let ran = deploy(&sandbox, &[]).await.succeeded().says(&told);
    assert!(!ran.stdout.contains(&absent), "{}", ran.stdout);
    sandbox.namespaces(&["team-a"]).await;
    let ran = deploy(&sandbox, &[]).await.succeeded();
    ran.prints(&format!("in namespace {absent} created"));
    deploy(&sandbox, &["--remove"]).await.succeeded();
}

#[tokio::test]
async fn what_is_bound_is_what_rbac_prints() {
    let sandbox = Sandbox::alone("minimal-printed").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    sandbox.apply_rule(&rule(&sandbox, "one", "team-a")).await;
    let (name, namespace) = (sandbox.name("it"), sandbox.name("system"));
    let account = format!("--service-account={namespace}/{name}");
    let lease = format!("--lease-name={name}");
    let arguments = ["rbac", "--only=rules", "--name", &name, &account, &lease];
    let roles = sandbox.run(&arguments).await.succeeded().stdout;
    let all = deploy(&sandbox, &["-o", "yaml"]).await.succeeded().stdout;
    assert!(all.contains(&roles), "{roles}\n---\n{all}");
}

#[tokio::test]
async fn a_rule_that_is_asked_for_must_be_there() {
    let sandbox = Sandbox::alone("minimal-nobody").await;
    let ran = deploy(&sandbox, &["--rule=nobody"]).await.failed_with(1);
    ran.says("copyratorrules.copyrator.dev \"nobody\" not found");
}
