//! Pods of a test: started, watched and listened to.

use std::{fmt::Debug, time::Duration};

use futures::{AsyncBufReadExt as _, StreamExt as _, TryStreamExt as _};
use k8s_openapi::{NamespaceResourceScope, api::core::v1::Pod};
use kube::{
    Api, Resource,
    api::{LogParams, PostParams, WatchEvent, WatchParams},
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::ground::Ground;

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_mins(2);

/// Holds as soon as there is an object.
pub fn seen<K>(_: &K) -> bool {
    true
}

/// Whether a pod's containers have all ended well.
pub fn succeeded(pod: &Pod) -> bool {
    phase(pod) == Some("Succeeded")
}

fn phase(pod: &Pod) -> Option<&str> {
    pod.status.as_ref()?.phase.as_deref()
}

/// Watches an object until a condition holds, and gives it.
pub async fn wait_for<K>(api: &Api<K>, name: &str, condition: impl Fn(&K) -> bool) -> K
where
    K: Resource<Scope = NamespaceResourceScope, DynamicType = ()>
        + Clone
        + Debug
        + DeserializeOwned
        + Send
        + 'static,
{
    // From version 0, a watch begins with what is there.
    wait_since(api, name, "0", condition).await
}

/// Watches what became of an object since it had this version, which may be long past, until a condition
/// holds; gives it as it was then.
pub async fn wait_since<K>(
    api: &Api<K>,
    name: &str,
    version: &str,
    condition: impl Fn(&K) -> bool,
) -> K
where
    K: Resource<Scope = NamespaceResourceScope, DynamicType = ()>
        + Clone
        + Debug
        + DeserializeOwned
        + Send
        + 'static,
{
    let parameters = WatchParams::default().fields(&format!("metadata.name={name}"));
    let mut last = None;
    let watched = async {
        loop {
            // A watch that ends is begun again.
            let events = api
                .watch(&parameters, version)
                .await
                .expect("it can be watched");
            let mut events = events.boxed();
            while let Some(event) = events.try_next().await.expect("an event") {
                if let WatchEvent::Added(object) | WatchEvent::Modified(object) = event {
                    if condition(&object) {
                        return object;
                    }
                    last = Some(object);
                }
            }
        }
    };
    let found = tokio::time::timeout(PATIENCE, watched).await;
    found.unwrap_or_else(|_| panic!("{name} is not so within {PATIENCE:?}: {last:#?}"))
}

impl Ground {
    /// Starts a pod in `shop` with one container, whose fields beside its name these are, and with these
    /// volumes.
    pub async fn start(&self, name: &str, mut container: Value, volumes: Value) {
        container["name"] = json!("main");
        let pod = json!({
            "metadata": {"name": name},
            "spec": {"restartPolicy": "Never", "containers": [container], "volumes": volumes},
        });
        let pod: Pod = serde_json::from_value(pod).expect("the test's pod is one");
        let created = self.pods().create(&PostParams::default(), &pod).await;
        created.expect("the pod is created");
    }

    /// Waits until a pod has succeeded, and gives what it printed.
    pub async fn finished(&self, name: &str) -> String {
        let ended = |pod: &Pod| matches!(phase(pod), Some("Succeeded" | "Failed"));
        let pod = wait_for(&self.pods(), name, ended).await;
        let log = self.pods().logs(name, &LogParams::default()).await;
        let log = log.expect("the log can be read");
        assert!(succeeded(&pod), "{log}\n{pod:#?}");
        log
    }

    /// Listens to a pod until it has printed this line.
    pub async fn heard(&self, name: &str, line: &str) {
        let running = |pod: &Pod| phase(pod).is_some_and(|phase| phase != "Pending");
        wait_for(&self.pods(), name, running).await;
        let followed = LogParams {
            follow: true,
            ..LogParams::default()
        };
        let log = self.pods().log_stream(name, &followed).await;
        let mut lines = log.expect("the log can be followed").lines();
        let mut printed = Vec::new();
        let listened = async {
            while let Some(next) = lines.try_next().await.expect("a line") {
                if next == line {
                    return;
                }
                printed.push(next);
            }
            panic!("{name} ended without {line:?}: {printed:#?}");
        };
        let heard = tokio::time::timeout(PATIENCE, listened).await;
        heard.unwrap_or_else(|_| panic!("no {line:?} from {name} within {PATIENCE:?}"));
    }

    fn pods(&self) -> Api<Pod> {
        self.sandbox.api("shop")
    }
}
