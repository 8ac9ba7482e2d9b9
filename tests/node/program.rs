//! The program in a pod.

use k8s_openapi::api::rbac::v1::ClusterRoleBinding;
use kube::{Api, api::PostParams};
use serde_json::{Value, json};

use super::ground::{Ground, IMAGE};

#[tokio::test]
async fn it_runs_without_root_and_without_writing_to_its_image() {
    let Some(ground) = Ground::new("node-version").await else {
        return;
    };
    let container = restricted(&["--version"]);
    ground.start("version", container, json!([])).await;
    let expected = format!("kubectl-copyrator {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(ground.finished("version").await, expected);
}

#[tokio::test]
async fn it_finds_its_cluster_and_itself_from_within() {
    let Some(ground) = Ground::new("node-within").await else {
        return;
    };
    let sandbox = &ground.sandbox;
    sandbox.run(&["crd", "install"]).await.succeeded();
    sandbox.namespaces(&["source", "team-a"]).await;
    sandbox.create_regcred("tangerine").await;
    sandbox.apply_rule(&sandbox.rule()).await;
    ground.make_administrator().await;
    let rule = sandbox.name("rule");
    let container = restricted(&["sync", &rule]);
    ground.start("sync", container, json!([])).await;
    let printed = ground.finished("sync").await;
    let line = format!(
        "secret/regcred created in namespace {}\n",
        sandbox.name("team-a")
    );
    assert!(printed.contains(&line), "{printed}");
    assert_eq!(
        sandbox.password("team-a").await.as_deref(),
        Some("tangerine")
    );
}

impl Ground {
    /// Gives all rights to the service account that pods of `shop` have.
    async fn make_administrator(&self) {
        let binding: ClusterRoleBinding = serde_json::from_value(json!({
            "metadata": {"name": self.sandbox.name("administrator")},
            "roleRef": {
                "apiGroup": "rbac.authorization.k8s.io",
                "kind": "ClusterRole",
                "name": "cluster-admin",
            },
            "subjects": [{
                "kind": "ServiceAccount",
                "name": "default",
                "namespace": self.sandbox.name("shop"),
            }],
        }))
        .expect("the test's binding is one");
        let bindings: Api<ClusterRoleBinding> = Api::all(self.sandbox.client.clone());
        let created = bindings.create(&PostParams::default(), &binding).await;
        created.expect("the binding is created");
    }
}

/// A container of the program with these arguments, as the strictest Pod Security Standard wants it.
fn restricted(arguments: &[&str]) -> Value {
    json!({
        "image": IMAGE,
        "args": arguments,
        "securityContext": {
            "runAsNonRoot": true,
            "readOnlyRootFilesystem": true,
            "allowPrivilegeEscalation": false,
            "capabilities": {"drop": ["ALL"]},
            "seccompProfile": {"type": "RuntimeDefault"},
        },
    })
}
