//! The requests about definitions.

use std::time::Duration;

use bytes::Bytes;
use http::Method;
use serde_json::json;

use super::{InstalledDefinition, WantedDefinition};
use crate::{
    cluster::{
        request::{Outgoing, Scale, Sender},
        urls,
    },
    reconcile::{ApiError, Depth, Failure, ObjectKey, Verb},
};

/// The definitions of a cluster.
pub struct Definitions {
    pub(super) sender: Sender,
}

impl Definitions {
    /// The definitions of the cluster behind `client`; `request_timeout` bounds each request.
    pub fn new(client: kube::Client, request_timeout: Option<Duration>) -> Self {
        Self {
            sender: Sender::new(client, request_timeout),
        }
    }

    /// Reads a definition, if it is there.
    pub async fn find(&self, key: &ObjectKey) -> Result<Option<InstalledDefinition>, ApiError> {
        let sent = self.send(Method::GET, urls::object(key), None).await;
        match sent.and_then(|body| InstalledDefinition::read(&body)) {
            Ok(definition) => Ok(Some(definition)),
            Err(Failure::NotFound(_)) => Ok(None),
            Err(failure) => Err(ApiError::on(Verb::Get, key, failure)),
        }
    }

    /// Makes a definition, or has the API server only check that with `dry_run`.
    pub async fn create(&self, wanted: &WantedDefinition, dry_run: bool) -> Result<(), ApiError> {
        let key = wanted.key();
        let collection = urls::collection(key.resource, None);
        let uri = format!("{collection}?{}", urls::write_parameters(dry_run));
        let body = ("application/json", wanted.creation());
        let sent = self.send(Method::POST, uri, Some(body)).await;
        sent.map_err(|failure| ApiError::on(Verb::Create, key, failure))?;
        Ok(())
    }

    /// Makes `wanted` of an installed definition, unless that has changed meanwhile; tells whether
    /// there was anything to change.
    pub async fn update(
        &self,
        wanted: &WantedDefinition,
        installed: &InstalledDefinition,
        dry_run: bool,
    ) -> Result<bool, ApiError> {
        let key = wanted.key();
        let uri = format!("{}?{}", urls::object(key), urls::write_parameters(dry_run));
        let body = ("application/json-patch+json", wanted.update(installed));
        let sent = self.send(Method::PATCH, uri, Some(body)).await;
        let updated = sent.and_then(|body| InstalledDefinition::read(&body));
        let updated = updated.map_err(|failure| ApiError::on(Verb::Patch, key, failure))?;
        Ok(!updated.is_same_as(installed))
    }

    /// Deletes this definition, and no successor of its name.
    pub async fn delete(
        &self,
        key: &ObjectKey,
        installed: &InstalledDefinition,
        dry_run: bool,
    ) -> Result<(), ApiError> {
        // The API server ignores the query string of a deletion that has a body, `dryRun` too.
        let options = json!({
            "apiVersion": "v1",
            "kind": "DeleteOptions",
            "dryRun": if dry_run { &["All"][..] } else { &[] },
            "preconditions": {"uid": installed.uid()},
        });
        let body = ("application/json", options.to_string());
        let sent = self
            .send(Method::DELETE, urls::object(key), Some(body))
            .await;
        sent.map_err(|failure| ApiError::on(Verb::Delete, key, failure))?;
        Ok(())
    }

    /// Whether the API server serves the objects of a definition, as far as can be seen: it refuses
    /// whoever may not list them before it looks whether there is anything to list.
    pub async fn is_served(&self, wanted: &WantedDefinition) -> Result<bool, ApiError> {
        match self.page(&wanted.collection(), "limit=1").await {
            Ok(_) | Err(Failure::Forbidden(_)) => Ok(true),
            Err(failure) if failure.is_unknown_resource() => Ok(false),
            Err(failure) => Err(ApiError {
                verb: Verb::List,
                subject: wanted.qualified_plural().to_owned(),
                failure,
            }),
        }
    }

    /// One page of a collection, metadata only.
    pub(super) async fn page(&self, collection: &str, parameters: &str) -> Result<Bytes, Failure> {
        let outgoing = Outgoing {
            method: Method::GET,
            uri: format!("{collection}?{parameters}"),
            scale: Scale::Collection,
            depth: Depth::Metadata,
            body: None,
        };
        self.sender.send(outgoing).await
    }

    async fn send(
        &self,
        method: Method,
        uri: String,
        body: Option<(&'static str, String)>,
    ) -> Result<Bytes, Failure> {
        let outgoing = Outgoing {
            method,
            uri,
            scale: Scale::Object,
            depth: Depth::Full,
            body,
        };
        self.sender.send(outgoing).await
    }
}
