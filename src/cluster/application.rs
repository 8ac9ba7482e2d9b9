//! Applies objects that somebody has described, by server-side apply.

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};

use super::{
    request::{Outgoing, Scale, Sender},
    urls,
};
use crate::reconcile::{ApiError, Depth, Failure, ObjectKey, Verb};

/// Applies objects, and deletes what was applied.
pub struct Application {
    sender: Sender,
    dry_run: bool,
}

impl Application {
    /// Applies objects through `client`; `request_timeout` bounds each request. With `dry_run` the API server
    /// only checks the writes.
    pub fn new(client: kube::Client, request_timeout: Option<Duration>, dry_run: bool) -> Self {
        Self {
            sender: Sender::new(client, request_timeout),
            dry_run,
        }
    }

    /// Reads an object, if it is there.
    pub async fn find(&self, key: &ObjectKey) -> Result<Option<Value>, ApiError> {
        match self.send(Method::GET, urls::object(key), None).await {
            Ok(object) => Ok(Some(object)),
            Err(Failure::NotFound(_)) => Ok(None),
            Err(failure) => Err(ApiError::on(Verb::Get, key, failure)),
        }
    }

    /// Makes an object what its manifest says, or makes it. `force` takes fields over that others manage.
    /// Gives what it has become.
    pub async fn apply(
        &self,
        key: &ObjectKey,
        manifest: &Value,
        force: bool,
    ) -> Result<Value, ApiError> {
        let parameters = urls::write_parameters(self.dry_run);
        let uri = format!("{}?{parameters}&force={force}", urls::object(key));
        // JSON is YAML, and the API server has no other name for it here.
        let body = ("application/apply-patch+yaml", manifest.to_string());
        let applied = self.send(Method::PATCH, uri, Some(body)).await;
        applied.map_err(|failure| ApiError::on(Verb::Patch, key, failure))
    }

    /// Deletes the object with this uid, and no successor of its name; its dependents follow. One that is
    /// gone already is no error.
    pub async fn delete(&self, key: &ObjectKey, uid: &str) -> Result<(), ApiError> {
        // The API server ignores the query string of a deletion that has a body, `dryRun` too.
        let options = json!({
            "apiVersion": "v1",
            "kind": "DeleteOptions",
            "dryRun": if self.dry_run { &["All"][..] } else { &[] },
            "preconditions": {"uid": uid},
            "propagationPolicy": "Background",
        });
        let body = ("application/json", options.to_string());
        match self
            .send(Method::DELETE, urls::object(key), Some(body))
            .await
        {
            Ok(_) | Err(Failure::NotFound(_)) => Ok(()),
            Err(failure) => Err(ApiError::on(Verb::Delete, key, failure)),
        }
    }

    async fn send(
        &self,
        method: Method,
        uri: String,
        body: Option<(&'static str, String)>,
    ) -> Result<Value, Failure> {
        let outgoing = Outgoing {
            method,
            uri,
            scale: Scale::Object,
            depth: Depth::Full,
            body,
        };
        let answer = self.sender.send(outgoing).await?;
        serde_json::from_slice(&answer).map_err(|error| Failure::Malformed(error.to_string()))
    }
}
