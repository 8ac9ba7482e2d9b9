//! Copies that nobody wants any more, and copies that must not be taken for such.

use k8s_openapi::{
    api::core::v1::{Namespace, Secret},
    apimachinery::pkg::apis::meta::v1::ObjectMeta,
};
use kube::{Api, api::DeleteParams};
use serde_json::json;

use crate::sandbox::{Sandbox, secret};

/// A source and copies in two namespaces, by a rule from a file.
async fn copied(prefix: &str) -> Sandbox {
    let sandbox = Sandbox::new(prefix).await;
    sandbox.namespace("source", &[]).await;
    sandbox.namespace("team-a", &[("env", "prod")]).await;
    sandbox.namespace("team-b", &[("env", "prod")]).await;
    sandbox.create_regcred("x").await;
    sandbox
        .sync(&sandbox.rule())
        .await
        .succeeded()
        .says("2 created");
    sandbox
}

impl Sandbox {
    fn rule_to(&self, namespace: &str) -> String {
        self.rule()
            .replace(&self.name("team-*"), &self.name(namespace))
    }

    async fn has_copy(&self, namespace: &str) -> bool {
        self.secret(namespace, "regcred").await.is_some()
    }
}

#[tokio::test]
async fn a_narrowed_rule_takes_its_copies_back() {
    let sandbox = copied("narrowed").await;
    sandbox
        .sync(&sandbox.rule_to("team-a"))
        .await
        .succeeded()
        .prints("regcred pruned");
    assert!(sandbox.has_copy("team-a").await && !sandbox.has_copy("team-b").await);
}

#[tokio::test]
async fn without_pruning_everything_stays() {
    let sandbox = copied("no-prune").await;
    let rule = sandbox.rule_to("team-a");
    let ran = sandbox
        .program(&["sync", "--prune=false", "-f", "-"])
        .stdin(&rule)
        .run()
        .await;
    ran.wrote_nothing();
    assert!(sandbox.has_copy("team-b").await);
}

#[tokio::test]
async fn a_rehearsal_deletes_nothing() {
    let sandbox = copied("prune-rehearsed").await;
    for dry_run in ["--dry-run=client", "--dry-run=server"] {
        let rule = sandbox.rule_to("team-a");
        let ran = sandbox
            .program(&["sync", dry_run, "-f", "-"])
            .stdin(&rule)
            .run()
            .await;
        ran.succeeded().prints("regcred pruned").says("1 pruned");
        assert!(sandbox.has_copy("team-b").await, "{dry_run}");
    }
}

#[tokio::test]
async fn a_deleted_original_takes_its_copies_along() {
    let sandbox = copied("source-deleted").await;
    sandbox.delete_secret("source", "regcred").await;
    sandbox
        .sync(&sandbox.rule())
        .await
        .succeeded()
        .says("2 pruned");
    assert!(!sandbox.has_copy("team-a").await && !sandbox.has_copy("team-b").await);
}

#[tokio::test]
async fn a_relabelled_namespace_loses_its_copy() {
    let sandbox = Sandbox::new("relabelled").await;
    sandbox.namespace("source", &[]).await;
    sandbox.namespace("team-a", &[("env", "prod")]).await;
    sandbox.create_regcred("x").await;
    let rule = sandbox.rule_with(
        "Secret",
        "names: [regcred]",
        "selector: {matchLabels: {env: prod}}",
    );
    sandbox.sync(&rule).await.succeeded().says("1 created");
    sandbox
        .relabel_namespace("team-a", json!({"env": "dev"}))
        .await;
    sandbox.sync(&rule).await.succeeded().says("1 pruned");
    assert!(!sandbox.has_copy("team-a").await);
}

#[tokio::test]
async fn a_rule_that_copies_another_resource_takes_its_copies_back() {
    let sandbox = copied("other-resource").await;
    let rule = sandbox.rule_with("ConfigMap", "names: [regcred]", "");
    sandbox.sync(&rule).await.succeeded().says("2 pruned");
}

#[tokio::test]
async fn a_missing_source_namespace_prunes_nothing() {
    let sandbox = copied("source-gone").await;
    let gone = sandbox
        .rule()
        .replace(&sandbox.name("source"), &sandbox.name("typo"));
    sandbox
        .sync(&gone)
        .await
        .failed_with(1)
        .says("nothing is pruned for this rule");
    assert!(sandbox.has_copy("team-a").await && sandbox.has_copy("team-b").await);
}

#[tokio::test]
async fn a_source_namespace_that_is_leaving_prunes_nothing() {
    let sandbox = copied("source-leaving").await;
    let hold = json!({"metadata": {"finalizers": ["example.com/hold"]}});
    sandbox.create_secret("source", &secret("held", &[])).await;
    sandbox
        .patch_secret("source", "held", "somebody", hold)
        .await;
    let namespaces = Api::<Namespace>::all(sandbox.client.clone());
    namespaces
        .delete(&sandbox.name("source"), &DeleteParams::default())
        .await
        .unwrap();
    sandbox.eventually_gone("source", "regcred").await;
    sandbox
        .sync(&sandbox.rule())
        .await
        .failed_with(1)
        .says("is being deleted");
    assert!(sandbox.has_copy("team-a").await && sandbox.has_copy("team-b").await);
    let release = json!({"metadata": {"finalizers": null}});
    sandbox
        .patch_secret("source", "held", "somebody", release)
        .await;
}

#[tokio::test]
async fn an_earlier_source_that_cannot_be_known_is_not_replaced_by_a_later_one() {
    let sandbox = copied("earlier-source").await;
    sandbox.namespace("second", &[]).await;
    sandbox
        .create_secret("second", &secret("regcred", &[("password", "second's")]))
        .await;
    let (source, second) = (sandbox.name("source"), sandbox.name("second"));
    let rule = sandbox
        .rule()
        .replace(&format!("[{source}]"), &format!("[{source}, {second}]"));
    sandbox
        .sync(&rule)
        .await
        .failed_with(1)
        .says("wanted by rule")
        .says("2 unchanged");
    let gone = rule.replace(&format!("[{source},"), &format!("[{source}-typo,"));
    sandbox
        .sync(&gone)
        .await
        .failed_with(1)
        .says("there is no namespace");
    assert_eq!(sandbox.password("team-a").await.as_deref(), Some("x"));
}

#[tokio::test]
async fn a_clone_of_a_copy_is_left_alone() {
    let sandbox = copied("cloned").await;
    sandbox.namespace("elsewhere", &[]).await;
    sandbox
        .clone_regcred("team-a", "elsewhere", "regcred")
        .await;
    sandbox
        .sync(&sandbox.rule_to("team-a"))
        .await
        .succeeded()
        .says("1 pruned");
    assert!(
        sandbox.has_copy("elsewhere").await,
        "the clone's marks are not its own"
    );
}

#[tokio::test]
async fn another_rules_copies_are_left_alone() {
    let sandbox = copied("another-rule").await;
    let other = sandbox
        .rule_to("team-a")
        .replace(&sandbox.name("rule"), &sandbox.name("other"));
    sandbox
        .sync(&other)
        .await
        .failed_with(1)
        .says(&sandbox.name("rule"));
    assert!(sandbox.has_copy("team-a").await && sandbox.has_copy("team-b").await);
}

#[tokio::test]
async fn namespaces_that_are_leaving_are_passed_over() {
    let sandbox = copied("leaving").await;
    let hold = json!({"metadata": {"finalizers": ["example.com/hold"]}});
    sandbox
        .patch_secret("team-b", "regcred", "somebody", hold)
        .await;
    let namespaces = Api::<Namespace>::all(sandbox.client.clone());
    namespaces
        .delete(&sandbox.name("team-b"), &DeleteParams::default())
        .await
        .unwrap();
    let rotated = json!({"stringData": {"password": "rotated"}});
    sandbox
        .patch_secret("source", "regcred", "admin", rotated)
        .await;
    sandbox
        .sync(&sandbox.rule())
        .await
        .succeeded()
        .says("1 configured");
    sandbox
        .sync(&sandbox.rule_to("team-a"))
        .await
        .wrote_nothing();
    let release = json!({"metadata": {"finalizers": null}});
    sandbox
        .patch_secret("team-b", "regcred", "somebody", release)
        .await;
}

#[tokio::test]
async fn a_deleted_rule_takes_its_copies_along_when_the_whole_set_is_synced() {
    let sandbox = Sandbox::alone("rule-deleted").await;
    sandbox.namespaces(&["source", "team-a", "team-b"]).await;
    sandbox.create_regcred("x").await;
    sandbox.apply_rule(&sandbox.rule()).await;
    let other = sandbox.rule_with("Secret", "names: [other]", "");
    sandbox
        .apply_rule(&other.replace(&sandbox.name("rule"), &sandbox.name("other")))
        .await;
    sandbox.run(&["sync"]).await.succeeded().says("2 created");
    sandbox.delete_rule("rule").await;
    sandbox
        .run(&["sync", &sandbox.name("other")])
        .await
        .wrote_nothing();
    assert!(
        sandbox.has_copy("team-a").await,
        "the rule's end isn't known when another is named"
    );
    sandbox.run(&["sync"]).await.succeeded().says("2 pruned");
    assert!(!sandbox.has_copy("team-a").await);
}

#[tokio::test]
async fn rules_of_the_cluster_and_of_files_never_prune_each_other() {
    let sandbox = Sandbox::alone("two-sets").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    sandbox.create_regcred("x").await;
    sandbox
        .sync(&sandbox.rule())
        .await
        .succeeded()
        .says("1 created");
    sandbox.run(&["sync"]).await.wrote_nothing();
    assert!(sandbox.has_copy("team-a").await);
}

#[tokio::test]
async fn named_rules_are_synced_alone_and_must_exist() {
    let sandbox = Sandbox::alone("named").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    sandbox.create_regcred("x").await;
    sandbox
        .create_secret("source", &secret("other", &[("k", "v")]))
        .await;
    sandbox.apply_rule(&sandbox.rule()).await;
    let other = sandbox.rule_with("Secret", "names: [other]", "");
    sandbox
        .apply_rule(&other.replace(&sandbox.name("rule"), &sandbox.name("other")))
        .await;
    sandbox
        .run(&["sync", &sandbox.name("rule")])
        .await
        .succeeded()
        .says("1 created");
    assert!(sandbox.secret("team-a", "other").await.is_none());
    let missing = sandbox.run(&["sync", "no-such-rule"]).await.failed_with(1);
    missing.says("copyratorrules.copyrator.dev \"no-such-rule\" not found");
}

#[tokio::test]
async fn the_older_of_two_rules_gets_what_both_want_and_keeps_it() {
    let sandbox = Sandbox::alone("contested").await;
    sandbox.namespaces(&["source", "second", "team-a"]).await;
    sandbox.create_regcred("first's").await;
    sandbox
        .create_secret("second", &secret("regcred", &[("password", "second's")]))
        .await;
    sandbox.apply_rule(&sandbox.rule()).await;
    let second = sandbox
        .rule()
        .replace(&sandbox.name("source"), &sandbox.name("second"));
    let second = second.replace(&sandbox.name("rule"), &sandbox.name("z-second"));
    sandbox.apply_rule(&second).await;
    sandbox
        .run(&["sync"])
        .await
        .failed_with(1)
        .says(&sandbox.name("rule"));
    assert_eq!(sandbox.password("team-a").await.as_deref(), Some("first's"));
    sandbox.delete_rule("rule").await;
    sandbox
        .run(&["sync"])
        .await
        .succeeded()
        .says("1 configured");
    assert_eq!(
        sandbox.password("team-a").await.as_deref(),
        Some("second's")
    );
}

#[tokio::test]
async fn rules_that_go_with_their_definition_leave_their_copies() {
    let sandbox = Sandbox::alone("uninstalled").await;
    sandbox.namespaces(&["source", "team-a"]).await;
    sandbox.create_regcred("x").await;
    sandbox.apply_rule(&sandbox.rule()).await;
    sandbox.run(&["sync"]).await.succeeded().says("1 created");
    sandbox.hold_rule("rule", true).await;
    sandbox
        .run(&["crd", "uninstall", "--yes", "--wait=false"])
        .await
        .succeeded();
    sandbox
        .run(&["sync"])
        .await
        .failed_with(1)
        .says("is being deleted");
    sandbox.hold_rule("rule", false).await;
    assert!(sandbox.has_copy("team-a").await);
}

#[tokio::test]
async fn an_empty_cluster_is_in_step() {
    let sandbox = Sandbox::alone("empty").await;
    sandbox.run(&["sync"]).await.wrote_nothing();
    let secrets = Api::<Secret>::all(sandbox.client.clone());
    let ours =
        kube::api::ListParams::default().labels("copyrator.dev/rule,copyrator.dev/set=cluster");
    let labelled = secrets.list(&ours).await.unwrap().items;
    // Other tests leave clones, and things that are only labelled like copies.
    let left = labelled
        .iter()
        .filter(|secret| is_marked(&secret.metadata))
        .count();
    assert_eq!(left, 0);
}

/// Whether the marks say that the object is a copy, and this one.
fn is_marked(metadata: &ObjectMeta) -> bool {
    let path = [&metadata.namespace, &metadata.name].map(|part| part.clone().unwrap_or_default());
    let mark = |name: &str| metadata.annotations.as_ref()?.get(name).cloned();
    mark("copyrator.dev/content").is_some() && mark("copyrator.dev/target") == Some(path.join("/"))
}
