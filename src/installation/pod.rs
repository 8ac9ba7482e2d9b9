//! The pods that the program runs in.

use serde_json::{Value, json};

use super::{Settings, container::CACHE};

/// The user of the image, who is nobody on the node.
const USER: u32 = 65_532;

/// How long a controller may take to end what it has begun, and to hand over, in seconds.
const GRACE: u8 = 30;

/// How pods are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeping {
    /// Each is replaced when it ends, and they are spread over the nodes.
    Always,
    /// Each runs once: a new one for each try, so that the log of one that failed can be read.
    Once,
}

/// The template of pods with one container.
pub fn template(settings: &Settings, container: &Value, keeping: Keeping) -> Value {
    let identity = &settings.identity;
    let is_kept = keeping == Keeping::Always;
    let pull_secret = settings.pull_secret.as_ref();
    let cache = settings.parts.rates();
    json!({
        "metadata": {"labels": identity.selection()},
        "spec": {
            "serviceAccountName": identity.name,
            "automountServiceAccountToken": true,
            "enableServiceLinks": false,
            "imagePullSecrets": pull_secret.map(|name| json!([{"name": name}])),
            "securityContext": {
                "runAsNonRoot": true,
                "runAsUser": USER,
                "runAsGroup": USER,
                "seccompProfile": {"type": "RuntimeDefault"},
            },
            "restartPolicy": (!is_kept).then_some("Never"),
            "terminationGracePeriodSeconds": is_kept.then_some(GRACE),
            "topologySpreadConstraints": is_kept.then(|| json!([{
                "maxSkew": 1,
                "topologyKey": "kubernetes.io/hostname",
                // A pod beside another one is better than none.
                "whenUnsatisfiable": "ScheduleAnyway",
                "labelSelector": {"matchLabels": identity.selection()},
            }])),
            "containers": [container],
            "volumes": cache.map(|_| json!([{"name": CACHE, "emptyDir": {"sizeLimit": "64Mi"}}])),
        },
    })
}
