//! Publishes Events (`events.k8s.io/v1`) about objects, and counts repetitions in a series instead of
//! publishing the same twice.

use std::{
    cell::RefCell,
    collections::HashMap,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use http::Method;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{
    request::{Outgoing, Scale, Sender},
    urls,
};
use crate::reconcile::{
    Announcement, ApiError, Depth, EVENTS, Failure, Name, Namespace, ObjectKey, Verb,
};

/// Events about objects without a namespace are here, as those of Kubernetes' own controllers.
const NAMESPACE_OF_CLUSTER_SCOPED: &str = "default";

/// The API server forgets an Event an hour after its last change; before that it is the same series
/// (<https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/event-v1/>).
const SERIES: Duration = Duration::from_mins(50);

const CONTROLLER: &str = "copyrator.dev/controller";

/// Publishes Events.
pub struct Events {
    sender: Sender,
    /// Who reports: the name of the pod, or of the machine.
    instance: String,
    published: RefCell<HashMap<(ObjectKey, &'static str, String), Published>>,
}

struct Published {
    name: String,
    count: u32,
    at: Instant,
}

#[derive(Deserialize)]
struct Regarding {
    metadata: Identity,
}

#[derive(Deserialize)]
struct Identity {
    uid: String,
}

impl Events {
    /// Publishes through `client` as this instance.
    pub fn new(client: kube::Client, request_timeout: Option<Duration>, instance: String) -> Self {
        Self {
            sender: Sender::new(client, request_timeout),
            instance,
            published: RefCell::default(),
        }
    }

    /// Publishes an announcement. An object that is gone has nobody who would read it.
    pub async fn publish(&self, announcement: &Announcement) -> Result<(), ApiError> {
        let Announcement {
            regarding,
            reason,
            note,
        } = announcement;
        let series = (regarding.clone(), reason.word(), note.clone());
        let now = Instant::now();
        self.published
            .borrow_mut()
            .retain(|_, published| now < published.at + SERIES);
        let known = {
            let published = self.published.borrow();
            published
                .get(&series)
                .map(|known| (known.name.clone(), known.count + 1))
        };
        let (name, count) = match known {
            Some((name, count)) if self.continue_series(regarding, &name, count).await? => {
                (name, count)
            }
            _ => match self.begin(announcement).await? {
                Some(name) => (name, 1),
                None => return Ok(()),
            },
        };
        let published = Published {
            name,
            count,
            at: now,
        };
        self.published.borrow_mut().insert(series, published);
        Ok(())
    }

    /// Publishes a new Event; its name.
    async fn begin(&self, announcement: &Announcement) -> Result<Option<String>, ApiError> {
        let regarding = &announcement.regarding;
        let Some(uid) = self.uid(regarding).await? else {
            return Ok(None);
        };
        let name = event_name(regarding.name.as_str());
        let key = event_key(regarding, &name);
        let event = self.event(announcement, &key, &uid);
        let outgoing = Outgoing {
            method: Method::POST,
            uri: urls::collection(&EVENTS, key.namespace.as_ref()),
            scale: Scale::Object,
            depth: Depth::Metadata,
            body: Some(("application/json", event.to_string())),
        };
        let sent = self.sender.send(outgoing).await;
        sent.map_err(|failure| ApiError::on(Verb::Create, &key, failure))?;
        Ok(Some(name))
    }

    fn event(&self, announcement: &Announcement, key: &ObjectKey, uid: &str) -> Value {
        let Announcement {
            regarding,
            reason,
            note,
        } = announcement;
        let kind = if reason.is_warning() {
            "Warning"
        } else {
            "Normal"
        };
        json!({
            "apiVersion": EVENTS.api_version(),
            "kind": EVENTS.kind,
            "metadata": {"name": key.name, "namespace": key.namespace},
            "eventTime": micro_time(),
            "reportingController": CONTROLLER,
            "reportingInstance": self.instance,
            "action": "Reconcile",
            "reason": reason.word(),
            "type": kind,
            "note": note,
            "regarding": {
                "apiVersion": regarding.resource.api_version(),
                "kind": regarding.resource.kind,
                "name": regarding.name,
                "namespace": regarding.namespace,
                "uid": uid,
            },
        })
    }

    /// Says that an Event has happened once more; false if there is no such Event any more.
    async fn continue_series(
        &self,
        regarding: &ObjectKey,
        name: &str,
        count: u32,
    ) -> Result<bool, ApiError> {
        let key = event_key(regarding, name);
        let series = json!({"series": {"count": count, "lastObservedTime": micro_time()}});
        let outgoing = Outgoing {
            method: Method::PATCH,
            uri: urls::object(&key),
            scale: Scale::Object,
            depth: Depth::Metadata,
            body: Some(("application/merge-patch+json", series.to_string())),
        };
        match self.sender.send(outgoing).await {
            Ok(_) => Ok(true),
            Err(Failure::NotFound(_)) => Ok(false),
            Err(failure) => Err(ApiError::on(Verb::Patch, &key, failure)),
        }
    }

    async fn uid(&self, key: &ObjectKey) -> Result<Option<String>, ApiError> {
        let outgoing = Outgoing {
            method: Method::GET,
            uri: urls::object(key),
            scale: Scale::Object,
            depth: Depth::Metadata,
            body: None,
        };
        let failed = |failure| ApiError::on(Verb::Get, key, failure);
        match self.sender.send(outgoing).await {
            Ok(body) => {
                let read: Result<Regarding, _> = serde_json::from_slice(&body);
                let read = read.map_err(|error| failed(Failure::Malformed(error.to_string())))?;
                Ok(Some(read.metadata.uid))
            }
            Err(Failure::NotFound(_)) => Ok(None),
            Err(failure) => Err(failed(failure)),
        }
    }
}

fn event_key(regarding: &ObjectKey, name: &str) -> ObjectKey {
    let elsewhere = || Namespace::from(NAMESPACE_OF_CLUSTER_SCOPED);
    let namespace = regarding.namespace.clone().unwrap_or_else(elsewhere);
    ObjectKey::namespaced(&EVENTS, namespace, Name::from(name))
}

/// The name of the object and the time in hexadecimal, as client-go does it. A long name is cut: a name has
/// 253 characters at most.
fn event_name(object: &str) -> String {
    const LONGEST: usize = 230;
    let cut = &object[..object.len().min(LONGEST)];
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let unique = since.unwrap_or_default().as_nanos();
    format!("{}.{unique:x}", cut.trim_end_matches(['.', '-']))
}

/// `MicroTime`: RFC 3339 with exactly six digits of a second.
fn micro_time() -> String {
    Timestamp::now()
        .strftime("%Y-%m-%dT%H:%M:%S.%6fZ")
        .to_string()
}
