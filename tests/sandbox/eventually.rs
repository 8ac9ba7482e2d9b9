//! Waits until something is so in the cluster: by a watch, and with an end.

use std::{collections::BTreeMap, fmt::Debug, time::Duration};

use futures::StreamExt;
use k8s_openapi::api::core::v1::Secret;
use kube::{
    Api, Resource, ResourceExt,
    api::{ListParams, WatchEvent, WatchParams},
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time::timeout;

use super::{PATIENCE, Sandbox, text};

/// Objects by namespace and name.
type Known<K> = BTreeMap<(Option<String>, String), K>;

/// Waits until this holds of all that an API has under these selectors.
pub async fn eventually<K>(api: &Api<K>, selection: ListParams, holds: impl Fn(&[&K]) -> bool)
where
    K: Resource + Clone + Debug + DeserializeOwned,
{
    let mut last = Vec::new();
    let comes = async {
        // The API server may be away meanwhile, or have forgotten where we were.
        while !follow(api, &selection, &holds, &mut last).await {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    assert!(
        timeout(PATIENCE, comes).await.is_ok(),
        "it doesn't come; what there is: {last:#?}"
    );
}

/// Whether it came before the watch ended; `last` is what was there then.
async fn follow<K>(
    api: &Api<K>,
    selection: &ListParams,
    holds: impl Fn(&[&K]) -> bool,
    last: &mut Vec<String>,
) -> bool
where
    K: Resource + Clone + Debug + DeserializeOwned,
{
    let Ok(listed) = api.list(selection).await else {
        return false;
    };
    let version = listed.metadata.resource_version.unwrap_or_default();
    let mut known: Known<K> = listed.items.into_iter().map(keyed).collect();
    let parameters = WatchParams {
        label_selector: selection.label_selector.clone(),
        field_selector: selection.field_selector.clone(),
        ..WatchParams::default()
    };
    if holds(&known.values().collect::<Vec<_>>()) {
        return true;
    }
    let Ok(events) = api.watch(&parameters, &version).await else {
        return false;
    };
    let mut events = events.boxed();
    loop {
        *last = known.values().map(|one| format!("{one:?}")).collect();
        match events.next().await {
            Some(Ok(WatchEvent::Added(object) | WatchEvent::Modified(object))) => {
                known.extend([keyed(object)]);
            }
            Some(Ok(WatchEvent::Deleted(object))) => {
                known.remove(&keyed(object).0);
            }
            Some(Ok(WatchEvent::Bookmark(_))) => {}
            Some(Ok(WatchEvent::Error(_)) | Err(_)) | None => return false,
        }
        if holds(&known.values().collect::<Vec<_>>()) {
            return true;
        }
    }
}

fn keyed<K: Resource>(object: K) -> ((Option<String>, String), K) {
    ((object.namespace(), object.name_any()), object)
}

fn named(name: &str) -> ListParams {
    ListParams::default().fields(&format!("metadata.name={name}"))
}

impl Sandbox {
    /// Waits until this holds of a Secret.
    pub async fn eventually(
        &self,
        namespace: &str,
        name: &str,
        holds: impl Fn(Option<&Secret>) -> bool,
    ) {
        let secrets: Api<Secret> = self.api(namespace);
        eventually(&secrets, named(name), |found| holds(found.first().copied())).await;
    }

    /// Waits until a namespace's `regcred` has this password; none if it shall not be there.
    pub async fn eventually_password(&self, namespace: &str, password: Option<&str>) {
        let holds = |found: Option<&Secret>| {
            found.and_then(|found| text(found, "password")).as_deref() == password
        };
        self.eventually(namespace, "regcred", holds).await;
    }

    /// Waits until each of these namespaces has a `regcred` with its password, or none.
    pub async fn eventually_passwords(&self, passwords: &[(&str, Option<&str>)]) {
        for (namespace, password) in passwords {
            self.eventually_password(namespace, *password).await;
        }
    }

    /// Waits until this holds of a rule's status.
    pub async fn eventually_status(&self, rule: &str, holds: impl Fn(&Value) -> bool) {
        let name = self.name(rule);
        eventually(&self.rules(), named(&name), |rules| {
            rules
                .first()
                .is_some_and(|rule| holds(&rule.data["status"]))
        })
        .await;
    }

    /// Waits until a rule's condition `Ready` has this reason.
    pub async fn eventually_ready(&self, rule: &str, reason: &str) {
        self.eventually_status(rule, |status| status["conditions"][0]["reason"] == reason)
            .await;
    }
}
