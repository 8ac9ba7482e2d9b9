//! Creates objects that somebody has described.

use std::time::Duration;

use http::Method;
use serde::Serialize;
use serde_json::Value;

use super::{
    request::{Outgoing, Scale, Sender},
    urls,
};
use crate::reconcile::{ApiError, Depth, Failure, ObjectKey, Verb};

/// Creates objects.
pub struct Creation {
    sender: Sender,
}

impl Creation {
    /// Creates objects through `client`; `request_timeout` bounds each request.
    pub fn new(client: kube::Client, request_timeout: Option<Duration>) -> Self {
        Self {
            sender: Sender::new(client, request_timeout),
        }
    }

    /// Creates the object of a manifest, or has the API server only check that with `dry_run`. Gives what
    /// it has become, without the record of who manages which field.
    pub async fn create(
        &self,
        key: &ObjectKey,
        manifest: &impl Serialize,
        dry_run: bool,
    ) -> Result<Value, ApiError> {
        let collection = urls::collection(key.resource, key.namespace.as_ref());
        let failed = |failure| ApiError::on(Verb::Create, key, failure);
        let body = serde_json::to_string(manifest).map_err(|error| failed(malformed(&error)))?;
        let outgoing = Outgoing {
            method: Method::POST,
            uri: format!("{collection}?{}", urls::write_parameters(dry_run)),
            scale: Scale::Object,
            depth: Depth::Full,
            body: Some(("application/json", body)),
        };
        let sent = self.sender.send(outgoing).await;
        sent.and_then(|body| read(&body)).map_err(failed)
    }
}

fn read(body: &[u8]) -> Result<Value, Failure> {
    let mut object: Value = serde_json::from_slice(body).map_err(|error| malformed(&error))?;
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("managedFields");
    }
    Ok(object)
}

fn malformed(error: &serde_json::Error) -> Failure {
    Failure::Malformed(error.to_string())
}
