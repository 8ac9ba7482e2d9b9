//! The container that the program runs in.

use serde_json::{Value, json};

use super::{PullPolicy, RateSettings, Settings};

/// The port that has the health and the metrics of a controller.
pub const PORT: u16 = 8080;

/// The name of [`PORT`].
pub const PORT_NAME: &str = "http";

/// The volume that keeps the answers of providers, so that a container that starts anew needn't ask again.
pub const CACHE: &str = "cache";

const CACHE_FOLDER: &str = "/cache";

/// A container that runs the program with these arguments; an observable one tells of its health.
pub fn container(
    settings: &Settings,
    name: &str,
    arguments: &[String],
    is_observable: bool,
) -> Value {
    let caches = settings.parts.rates().is_some();
    let probe = |path: &str, period: u8| json!({"httpGet": {"path": path, "port": PORT_NAME}, "periodSeconds": period});
    let liveness = || {
        let mut probe = probe("/healthz", 20);
        probe["failureThreshold"] = json!(3);
        probe
    };
    json!({
        "name": name,
        "image": settings.image.to_string(),
        "imagePullPolicy": settings.pull_policy.map(PullPolicy::name),
        "args": arguments,
        "env": environment(caches),
        "ports": is_observable.then(|| json!([{"name": PORT_NAME, "containerPort": PORT}])),
        "livenessProbe": is_observable.then(liveness),
        "readinessProbe": is_observable.then(|| probe("/readyz", 10)),
        "resources": {"requests": settings.requests, "limits": settings.limits},
        // What the Pod Security Standard `restricted` asks of a container.
        // Source: <https://kubernetes.io/docs/concepts/security/pod-security-standards/>
        "securityContext": {
            "allowPrivilegeEscalation": false,
            "capabilities": {"drop": ["ALL"]},
            "readOnlyRootFilesystem": true,
        },
        "volumeMounts": caches.then(|| json!([{"name": CACHE, "mountPath": CACHE_FOLDER}])),
    })
}

/// The flags that say how rates are published.
pub fn rate_arguments(rates: &RateSettings) -> Vec<String> {
    let urls = rates.urls.iter().map(|url| format!("--allow-urls={url}"));
    let secrets = (!rates.secrets).then(|| "--allow-secrets=false".to_owned());
    urls.chain(secrets).collect()
}

fn environment(caches: bool) -> Vec<Value> {
    let field = json!({"fieldRef": {"fieldPath": "metadata.namespace"}});
    let namespace = json!({"name": "NAMESPACE", "valueFrom": field});
    let cache = caches.then(|| json!({"name": "KUBECACHEDIR", "value": CACHE_FOLDER}));
    [namespace].into_iter().chain(cache).collect()
}
