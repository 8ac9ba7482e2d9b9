//! `crd uninstall`: what is counted, deleted and left alone.

use k8s_openapi::api::{
    core::v1::{ConfigMap, Secret},
    rbac::v1::{ClusterRole, ClusterRoleBinding},
};
use kube::{Api, api::PostParams};
use kubectl_copyrator::api::{ExchangeRate, ExchangeRateSpec};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::command::crd;
use crate::sandbox::Sandbox;

const DELETED: &str =
    "customresourcedefinition.apiextensions.k8s.io \"copyratorrules.copyrator.dev\" deleted";
const OTHER_DELETED: &str =
    "customresourcedefinition.apiextensions.k8s.io \"exchangerates.copyrator.dev\" deleted";
const NOT_FOUND: [&str; 2] = [
    "customresourcedefinition.apiextensions.k8s.io \"copyratorrules.copyrator.dev\" not found",
    "customresourcedefinition.apiextensions.k8s.io \"exchangerates.copyrator.dev\" not found",
];

/// Something that is labelled as a copy, with a mark that names `target`.
fn copy(name: &str, set: &str, target: &str) -> Value {
    let labels = json!({
        "app.kubernetes.io/managed-by": "kubectl-copyrator",
        "copyrator.dev/rule": "rule",
        "copyrator.dev/set": set,
    });
    let annotations = json!({"copyrator.dev/target": target});
    json!({"metadata": {"name": name, "labels": labels, "annotations": annotations}})
}

/// The definition, a rule, and copies: two Secrets and one ConfigMap of the rule, one of a file; and a
/// clone, whose mark names the copy that it was cloned from.
async fn installed(prefix: &str) -> Sandbox {
    let sandbox = Sandbox::blank(prefix).await;
    sandbox.crd("install").await;
    sandbox.apply_rule(&sandbox.rule()).await;
    sandbox.namespaces(&["team-a"]).await;
    let (secrets, configmaps): (Api<Secret>, Api<ConfigMap>) =
        (sandbox.api("team-a"), sandbox.api("team-a"));
    let parameters = PostParams::default();
    let target = |name: &str| format!("{}/{name}", sandbox.name("team-a"));
    for (name, set, original) in [
        ("a", "cluster", "a"),
        ("b", "cluster", "b"),
        ("c", "files", "c"),
        ("clone", "cluster", "a"),
    ] {
        let secret = copy(name, set, &target(original));
        let secret = serde_json::from_value(secret).expect("a Secret");
        secrets
            .create(&parameters, &secret)
            .await
            .expect("the Secret is made");
    }
    let configmap = copy("a", "cluster", &target("a"));
    let configmap = serde_json::from_value(configmap).expect("a ConfigMap");
    configmaps
        .create(&parameters, &configmap)
        .await
        .expect("the ConfigMap is made");
    sandbox
}

#[tokio::test]
async fn it_is_told_what_is_lost_then_everything_is_deleted() {
    let sandbox = installed("crd-gone").await;
    sandbox.publish_rates("a", true).await;
    sandbox.publish_rates("b", true).await;
    sandbox.publish_rates("taken-over", false).await;
    let ended = sandbox.crd("uninstall --yes").await;
    let ended = ended.prints(&[DELETED, OTHER_DELETED]);
    assert_eq!(
        ended.err,
        "This deletes 1 CopyratorRule and 2 ExchangeRates.\n\
         The rules' 3 copies (2 secrets, 1 configmap) stay in the cluster; \
         to remove those first, run: kubectl copyrator prune --all\n\
         2 configmaps of ExchangeRates are deleted with them.\n\
         1 configmap with exchange rates stays in the cluster.\n"
    );
    assert_eq!(sandbox.definition().await, None);
    assert!(sandbox.secret("team-a", "a").await.is_some());
    let again = sandbox.crd("uninstall").await.prints(&NOT_FOUND);
    assert_eq!(again.err, "");
}

#[tokio::test]
async fn nothing_is_deleted_without_a_yes_or_in_a_rehearsal() {
    let sandbox = Sandbox::blank("crd-kept").await;
    sandbox.crd("install").await;
    let before = sandbox.definition().await;
    sandbox
        .crd("uninstall")
        .await
        .fails("use --yes")
        .says("This deletes no CopyratorRules and no ExchangeRates.");
    for (mode, suffix) in [("client", "(dry run)"), ("server", "(server dry run)")] {
        let uninstall = format!("uninstall --dry-run={mode}");
        sandbox.crd(&uninstall).await.prints(&[
            format!("{DELETED} {suffix}"),
            format!("{OTHER_DELETED} {suffix}"),
        ]);
    }
    assert_eq!(sandbox.definition().await, before);
}

#[tokio::test]
async fn a_definition_of_somebody_else_is_only_deleted_by_force() {
    let sandbox = Sandbox::blank("crd-not-ours").await;
    sandbox.crd("install").await;
    sandbox.disown().await;
    sandbox
        .crd("uninstall --yes")
        .await
        .fails_after(
            &[OTHER_DELETED],
            "was not made by kubectl-copyrator, and is left alone; to delete it",
        )
        .says("This deletes no ExchangeRates.");
    assert!(sandbox.definition().await.is_some());
    sandbox
        .crd("uninstall --yes --force")
        .await
        .prints(&[NOT_FOUND[1], DELETED]);
}

#[tokio::test]
async fn what_may_not_be_counted_is_deleted_all_the_same() {
    let sandbox = installed("crd-uncounted").await;
    let name = sandbox.name("remover");
    sandbox.allow_definitions(&name).await;
    let remover = sandbox.stranger("remover").await;
    let ended = crd(&remover, "uninstall --yes", &CancellationToken::new()).await;
    ended
        .prints(&[DELETED, OTHER_DELETED])
        .says("This deletes all CopyratorRules; how many there are isn't known: ")
        .says("This deletes all ExchangeRates; how many there are isn't known: ")
        .says("The rules' copies stay in the cluster; how many isn't known: ")
        .says("The ConfigMaps of ExchangeRates are deleted with them; how many isn't known: ");
}

impl Sandbox {
    /// A ConfigMap that is labelled as one with rates. If it is `owned`, there is an `ExchangeRate` that it
    /// refers to; if not, it is one that was taken over.
    async fn publish_rates(&self, name: &str, owned: bool) {
        let mut configmap = json!({"metadata": {
            "name": format!("rates-{name}"),
            "labels": {
                "app.kubernetes.io/managed-by": "kubectl-copyrator",
                "copyrator.dev/exchange-rate": name,
                "copyrator.dev/set": "cluster",
            },
            "annotations": {
                "copyrator.dev/target": format!("{}/rates-{name}", self.name("team-a")),
            },
        }});
        if owned {
            let uid = self.create_rate(name).await;
            configmap["metadata"]["ownerReferences"] = json!([{
                "apiVersion": "copyrator.dev/v1alpha1",
                "kind": "ExchangeRate",
                "name": name,
                "uid": uid,
                "controller": true,
            }]);
        }
        let configmaps: Api<ConfigMap> = self.api("team-a");
        let configmap = serde_json::from_value(configmap).expect("a ConfigMap");
        let created = configmaps.create(&PostParams::default(), &configmap).await;
        created.expect("the ConfigMap is made");
    }

    /// Makes an `ExchangeRate`; its uid.
    async fn create_rate(&self, name: &str) -> String {
        let rates: Api<ExchangeRate> = self.api("team-a");
        let spec = ExchangeRateSpec::of_quotes(vec!["USD".to_owned()]);
        let rate = ExchangeRate::new(name, spec);
        let created = rates.create(&PostParams::default(), &rate).await;
        let created = created.expect("the ExchangeRate is made");
        created.metadata.uid.expect("objects have a uid")
    }

    /// Allows a user to read and delete definitions, and nothing else.
    async fn allow_definitions(&self, name: &str) {
        let role = json!({
            "metadata": {"name": name},
            "rules": [{
                "apiGroups": ["apiextensions.k8s.io"],
                "resources": ["customresourcedefinitions"],
                "verbs": ["get", "delete"],
            }],
        });
        let binding = json!({
            "metadata": {"name": name},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name},
            "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": name}],
        });
        let roles: Api<ClusterRole> = Api::all(self.client.clone());
        let bindings: Api<ClusterRoleBinding> = Api::all(self.client.clone());
        let role = serde_json::from_value(role).expect("a ClusterRole");
        let binding = serde_json::from_value(binding).expect("a ClusterRoleBinding");
        let parameters = PostParams::default();
        roles
            .create(&parameters, &role)
            .await
            .expect("the role is made");
        bindings
            .create(&parameters, &binding)
            .await
            .expect("the binding is made");
        super::command::eventually("the right is given", async || {
            let stranger = self.stranger("remover").await;
            let request = http::Request::get(super::command::PATH)
                .body(Vec::new())
                .expect("a valid request");
            stranger.request::<Value>(request).await.is_ok()
        })
        .await;
    }
}
