//! A Lease of the API server's, as an election uses it.

use std::{pin::pin, time::Duration};

use bytes::Bytes;
use futures::StreamExt;
use http::Method;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::{
    request::{Outgoing, Scale, Sender},
    urls, watch,
};
use crate::{
    leadership::{LeaseRecord, Leases, Stored},
    reconcile::{
        ApiError, Depth, Failure, LEASES, Name, Namespace, ObjectKey, Query, RawObject, Verb,
        Watched,
    },
};

/// How long the Lease is only looked at, after a watch of it has failed or was refused.
const WITHOUT_WATCH: Duration = Duration::from_mins(1);

/// One Lease of the API server's.
pub struct Lease {
    sender: Sender,
    key: ObjectKey,
}

/// The `spec` of a Lease
/// (<https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/lease-v1/>).
#[derive(Default, Deserialize, Serialize)]
#[serde(default, rename_all = "camelCase")]
struct Spec {
    holder_identity: Option<String>,
    lease_duration_seconds: Option<i32>,
    acquire_time: Option<String>,
    renew_time: Option<String>,
    lease_transitions: Option<i32>,
}

impl Lease {
    /// The Lease of this name, made by whoever needs it first; `request_timeout` bounds each request.
    pub fn new(
        client: kube::Client,
        request_timeout: Option<Duration>,
        namespace: Namespace,
        name: Name,
    ) -> Self {
        Self {
            sender: Sender::new(client, request_timeout),
            key: ObjectKey::namespaced(&LEASES, namespace, name),
        }
    }

    async fn send(
        &self,
        method: Method,
        uri: String,
        body: Option<Value>,
    ) -> Result<Bytes, Failure> {
        let outgoing = Outgoing {
            method,
            uri,
            scale: Scale::Object,
            depth: Depth::Full,
            body: body.map(|body| ("application/json", body.to_string())),
        };
        self.sender.send(outgoing).await
    }

    async fn write(&self, verb: Verb, object: Value) -> Result<Stored, ApiError> {
        let (method, path) = match verb {
            Verb::Create => (
                Method::POST,
                urls::collection(self.key.resource, self.key.namespace.as_ref()),
            ),
            _ => (Method::PUT, urls::object(&self.key)),
        };
        let uri = format!("{path}?{}", urls::write_parameters(false));
        let sent = self.send(method, uri, Some(object)).await;
        sent.and_then(|body| read(&body))
            .map_err(|failure| ApiError::on(verb, &self.key, failure))
    }

    /// Watches the Lease until nobody holds it, or the watch ends.
    async fn watch(&self, seen: &Stored) -> Result<(), ApiError> {
        let query = Query {
            namespace: self.key.namespace.clone(),
            fields: format!("metadata.name={}", self.key.name),
            ..Query::all(&LEASES, Depth::Full)
        };
        let since = seen.resource_version.clone();
        let reduce = |object: RawObject<'_>| Ok(Some(is_held(object.parse()?)));
        let watch = watch::watch(self.sender.client(), query, since, reduce);
        let mut watch = pin!(watch);
        while let Some(message) = watch.next().await {
            if let Watched::Applied(false) | Watched::Deleted(_) = message?.watched {
                break;
            }
        }
        Ok(())
    }
}

impl Leases for Lease {
    fn key(&self) -> &ObjectKey {
        &self.key
    }

    async fn read(&self) -> Result<Option<Stored>, ApiError> {
        let sent = self.send(Method::GET, urls::object(&self.key), None).await;
        match sent.and_then(|body| read(&body)) {
            Ok(stored) => Ok(Some(stored)),
            Err(Failure::NotFound(_)) => Ok(None),
            Err(failure) => Err(ApiError::on(Verb::Get, &self.key, failure)),
        }
    }

    async fn create(&self, record: &LeaseRecord) -> Result<Stored, ApiError> {
        let object = json!({
            "apiVersion": self.key.resource.api_version(),
            "kind": self.key.resource.kind,
            "metadata": {"name": self.key.name, "namespace": self.key.namespace},
            "spec": Spec::from(record),
        });
        self.write(Verb::Create, object).await
    }

    /// The object that was seen names its uid and its resourceVersion, on which the API server insists.
    async fn replace(&self, seen: &Stored, record: &LeaseRecord) -> Result<Stored, ApiError> {
        let mut object = seen.object.clone();
        put(&mut object, record);
        self.write(Verb::Update, object).await
    }

    async fn vacated(&self, seen: &Stored) {
        // Nothing is lost but seconds, so it is no trouble to tell.
        if self.watch(seen).await.is_err() {
            sleep(WITHOUT_WATCH).await;
        }
    }
}

/// Writes a record into a Lease; what else it holds stays as it is.
fn put(object: &mut Value, record: &LeaseRecord) {
    let spec = serde_json::to_value(Spec::from(record)).expect("a record is plain JSON");
    if !object["spec"].is_object() {
        object["spec"] = json!({});
    }
    if let (Some(old), Value::Object(new)) = (object["spec"].as_object_mut(), spec) {
        old.extend(new);
    }
    // Left out, it stays as the API server knows it.
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("managedFields");
    }
}

fn read(body: &[u8]) -> Result<Stored, Failure> {
    let malformed = |error: serde_json::Error| Failure::Malformed(error.to_string());
    let object: Value = serde_json::from_slice(body).map_err(malformed)?;
    let spec = match object.get("spec") {
        Some(spec) => Spec::deserialize(spec).map_err(malformed)?,
        None => Spec::default(),
    };
    let version = object["metadata"]["resourceVersion"].as_str();
    let version = version.ok_or_else(|| Failure::Malformed("it has no resourceVersion".into()))?;
    Ok(Stored {
        record: spec.into(),
        resource_version: version.into(),
        object,
    })
}

impl From<Spec> for LeaseRecord {
    fn from(spec: Spec) -> Self {
        let time = |text: Option<String>| text.and_then(|text| text.parse().ok());
        let number = |number: Option<i32>| number.and_then(|number| u32::try_from(number).ok());
        let seconds = number(spec.lease_duration_seconds);
        Self {
            holder: spec.holder_identity.filter(|holder| !holder.is_empty()),
            duration: seconds.map(|seconds| Duration::from_secs(seconds.into())),
            acquired: time(spec.acquire_time),
            renewed: time(spec.renew_time),
            transitions: number(spec.lease_transitions).unwrap_or_default(),
        }
    }
}

impl From<&LeaseRecord> for Spec {
    fn from(record: &LeaseRecord) -> Self {
        let seconds = record.duration.map(|duration| duration.as_secs());
        Self {
            holder_identity: Some(record.holder.clone().unwrap_or_default()),
            lease_duration_seconds: seconds
                .map(|seconds| i32::try_from(seconds).unwrap_or(i32::MAX)),
            acquire_time: record.acquired.map(micro_time),
            renew_time: record.renewed.map(micro_time),
            lease_transitions: Some(i32::try_from(record.transitions).unwrap_or(i32::MAX)),
        }
    }
}

/// The API server reads times of Leases with six decimals, and no others.
fn micro_time(time: Timestamp) -> String {
    format!("{time:.6}")
}

/// The part of a Lease that says whether somebody holds it.
#[derive(Deserialize)]
struct Held {
    #[serde(default)]
    spec: Spec,
}

fn is_held(lease: Held) -> bool {
    LeaseRecord::from(lease.spec).holder.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(spec: &Value) -> Value {
        json!({
            "metadata": {"name": "a", "uid": "u", "resourceVersion": "7", "labels": {"theirs": "stays"},
                "managedFields": []},
            "spec": spec,
        })
    }

    fn stored(spec: &Value) -> Stored {
        read(object(spec).to_string().as_bytes()).unwrap()
    }

    #[test]
    fn a_record_is_read_and_written_as_it_was() {
        let spec = json!({
            "holderIdentity": "me",
            "leaseDurationSeconds": 15,
            "acquireTime": "2026-07-01T00:00:00.000000Z",
            "renewTime": "2026-07-01T00:00:02.123456Z",
            "leaseTransitions": 3,
        });
        let stored = stored(&spec);
        assert_eq!(stored.record.holder.as_deref(), Some("me"));
        assert_eq!(stored.record.duration, Some(Duration::from_secs(15)));
        assert_eq!(stored.record.transitions, 3);
        assert_eq!(
            serde_json::to_value(Spec::from(&stored.record)).unwrap(),
            spec
        );
    }

    #[test]
    fn what_is_others_stays_in_a_lease() {
        let mut stored = stored(&json!({"holderIdentity": "me", "strategy": "theirs"}));
        put(&mut stored.object, &LeaseRecord::default());
        assert_eq!(
            stored.object["metadata"],
            json!({
                "name": "a", "uid": "u", "resourceVersion": "7", "labels": {"theirs": "stays"},
            })
        );
        assert_eq!(stored.object["spec"]["strategy"], "theirs");
        assert_eq!(stored.object["spec"]["holderIdentity"], "");
    }

    #[test]
    fn a_lease_that_says_nothing_was_never_held() {
        let empty = LeaseRecord::default();
        for spec in [json!(null), json!({}), json!({"holderIdentity": ""})] {
            let mut object = object(&spec);
            if spec.is_null() {
                object.as_object_mut().unwrap().remove("spec");
            }
            let read = read(object.to_string().as_bytes()).unwrap();
            assert_eq!(read.record, empty, "{spec}");
        }
    }

    #[test]
    fn nonsense_in_a_lease_is_no_record() {
        let stored = stored(&json!({
            "holderIdentity": "other",
            "leaseDurationSeconds": -4,
            "renewTime": "yesterday",
            "leaseTransitions": -1,
        }));
        let record = LeaseRecord {
            holder: Some("other".to_owned()),
            ..LeaseRecord::default()
        };
        assert_eq!(stored.record, record);
    }
}
