//! The user of the measurements: a service account with the rights that `sync` needs. An
//! administrator would not do, for the API server lets `system:masters` pass its flow control.

use std::{fs, path::PathBuf};

use serde_json::{Value, json};

use super::{Stage, content};
use crate::{error::Outcome, raw::Request};

const RBAC: &str = "/apis/rbac.authorization.k8s.io/v1";

/// A user who isn't exempt from anything.
#[derive(Default)]
pub struct User {
    /// Its bearer token.
    pub token: String,
    /// A kubeconfig with that token.
    pub kubeconfig: PathBuf,
}

/// Makes the user.
pub fn create(stage: &Stage) -> Outcome<User> {
    let account =
        json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "bench"}});
    stage.set(vec![content::namespace("bench")])?;
    let accounts = "/api/v1/namespaces/bench/serviceaccounts";
    stage.set(vec![
        Request::post(accounts, &account),
        Request::post(format!("{RBAC}/clusterroles"), &role()),
        Request::post(format!("{RBAC}/clusterrolebindings"), &binding()),
    ])?;
    let wish = json!({
        "apiVersion": "authentication.k8s.io/v1",
        "kind": "TokenRequest",
        "spec": {"expirationSeconds": 86_400},
    });
    let mut request = Request::post(format!("{accounts}/bench/token"), &wish);
    "application/json".clone_into(&mut request.accept);
    let answer = stage.set(vec![request])?;
    let answer: Value = serde_json::from_str(&answer.bodies[0])?;
    let token = answer["status"]["token"]
        .as_str()
        .ok_or("no token")?
        .to_owned();
    let path = stage.cluster().dir().join("bench.kubeconfig");
    fs::write(&path, kubeconfig(stage, &token, stage.port()))?;
    Ok(User {
        token,
        kubeconfig: path,
    })
}

/// A kubeconfig of the user that leads to this port.
pub fn kubeconfig(stage: &Stage, token: &str, port: u16) -> String {
    json!({
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "bench",
        "clusters": [{"name": "bench", "cluster": {
            "server": format!("https://127.0.0.1:{port}"),
            "certificate-authority": stage.cluster().ca_path(),
        }}],
        "users": [{"name": "bench", "user": {"token": token}}],
        "contexts": [{"name": "bench", "context": {"cluster": "bench", "user": "bench"}}],
    })
    .to_string()
}

fn role() -> Value {
    let rule = |group: &str, resources: &[&str], verbs: &[&str]| json!({"apiGroups": [group], "resources": resources, "verbs": verbs});
    let writes = [
        "get", "list", "watch", "create", "update", "patch", "delete",
    ];
    json!({
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {"name": "bench"},
        "rules": [
            rule("", &["secrets", "configmaps"], &writes),
            rule("", &["namespaces"], &["get", "list", "watch"]),
            rule("copyrator.dev", &["copyratorrules", "exchangerates"], &["get", "list", "watch"]),
            rule("copyrator.dev", &["copyratorrules/status", "exchangerates/status"], &["update", "patch"]),
            rule("apiextensions.k8s.io", &["customresourcedefinitions"], &["get", "list", "watch"]),
        ],
    })
}

fn binding() -> Value {
    json!({
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": "bench"},
        "roleRef": {
            "apiGroup": "rbac.authorization.k8s.io",
            "kind": "ClusterRole",
            "name": "bench",
        },
        "subjects": [{"kind": "ServiceAccount", "namespace": "bench", "name": "bench"}],
    })
}
