//! The API server as the engine's cluster.

use std::{cell::Cell, sync::Arc, time::Duration};

use bytes::Bytes;
use futures::Stream;
use http::Method;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{
    access, bodies,
    discretion::discreet,
    list_answer::{ListAnswer, Position},
    request::{Outgoing, Scale, Sender},
    urls, watch,
};
use crate::reconcile::{
    Access, Answer, ApiError, Cluster, Depth, Desired, Failure, Message, ObjectKey, Observed, Page,
    Query, RawObject, ResourceType, StatusUpdate, UnexpectedShape, Verb, WatchableCluster, Writes,
};

/// How many objects a page holds: enough that pages cost little, few enough that one fits in memory.
const fn page_limit(depth: Depth) -> u32 {
    match depth {
        // They are taken apart while they arrive.
        Depth::Metadata => 10_000,
        // A Secret or ConfigMap may hold a mebibyte.
        Depth::Full => 100,
    }
}

/// How the API server is spoken to.
#[derive(Clone, Copy, Debug)]
pub struct ApiServerOptions {
    /// The longest that one request may take.
    pub request_timeout: Option<Duration>,
    /// When the run's time is up: requests that are under way then are given a few seconds more.
    pub deadline: Option<Instant>,
    /// Whether writes are only tried (`dryRun=All`).
    pub dry_run: bool,
}

/// An API server.
pub struct ApiServer {
    sender: Sender,
    options: ApiServerOptions,
    /// Whether objects may be replaced by PUT, for all that is known.
    may_put: Cell<bool>,
}

impl ApiServer {
    /// The API server behind `client`.
    pub fn new(client: kube::Client, options: ApiServerOptions) -> Self {
        Self {
            sender: Sender::new(client, options.request_timeout).until(options.deadline),
            options,
            may_put: Cell::new(true),
        }
    }

    /// Doesn't wait long for answers any more once somebody wants an end.
    #[must_use]
    pub fn stopped_by(self, stop: &CancellationToken) -> Self {
        Self {
            sender: self.sender.stopped_by(stop.clone()),
            ..self
        }
    }

    async fn send(&self, resource: &ResourceType, outgoing: Outgoing) -> Result<Bytes, Failure> {
        let answer = self.sender.send(outgoing).await;
        answer.map_err(|failure| discreet(resource, failure))
    }

    /// Reads a page.
    async fn page(
        &self,
        query: &Query,
        continue_token: Option<&str>,
        mut hand_on: impl FnMut(RawObject<'_>) -> Result<(), Failure>,
    ) -> Result<Position, Failure> {
        let path = urls::collection(query.resource, query.namespace.as_ref());
        let parameters = urls::list_parameters(query, page_limit(query.depth), continue_token);
        let outgoing = Outgoing {
            method: Method::GET,
            uri: format!("{path}?{parameters}"),
            scale: Scale::Collection,
            depth: query.depth,
            body: None,
        };
        let mut answer = ListAnswer::default();
        let received = self
            .sender
            .receive(outgoing, |part| answer.receive(part, &mut hand_on))
            .await;
        received.map_err(|failure| discreet(query.resource, failure))?;
        answer.finish()
    }

    async fn write(
        &self,
        method: Method,
        verb: Verb,
        key: &ObjectKey,
        uri: String,
        body: (&'static str, String),
    ) -> Result<(), ApiError> {
        // The answer's metadata is enough, and brings no secret back over the wire.
        let outgoing = Outgoing {
            method,
            uri,
            scale: Scale::Object,
            depth: Depth::Metadata,
            body: Some(body),
        };
        let sent = self.sender.receive(outgoing, |_| Ok(())).await;
        sent.map_err(|failure| ApiError::on(verb, key, discreet(key.resource, failure)))
    }
}

impl ApiServer {
    async fn post(&self, key: &ObjectKey, body: String, dry_run: bool) -> Result<(), ApiError> {
        let path = urls::collection(key.resource, key.namespace.as_ref());
        let uri = format!("{path}?{}", urls::write_parameters(dry_run));
        self.write(
            Method::POST,
            Verb::Create,
            key,
            uri,
            ("application/json", body),
        )
        .await
    }

    async fn put(&self, desired: &Desired, observed: &Observed) -> Result<(), ApiError> {
        let key = &desired.key;
        let parameters = urls::write_parameters(self.options.dry_run);
        let uri = format!("{}?{parameters}", urls::object(key));
        let body = ("application/json", bodies::replace(desired, observed));
        self.write(Method::PUT, Verb::Patch, key, uri, body).await
    }

    async fn patch(&self, key: &ObjectKey, path: &str, body: String) -> Result<(), ApiError> {
        let uri = format!("{path}?{}", urls::write_parameters(self.options.dry_run));
        let body = ("application/json-patch+json", body);
        self.write(Method::PATCH, Verb::Patch, key, uri, body).await
    }
}

impl Cluster for ApiServer {
    async fn list_page<T>(
        &self,
        query: &Query,
        continue_token: Option<&str>,
        mut reduce: impl FnMut(RawObject<'_>) -> Result<Option<T>, UnexpectedShape>,
    ) -> Result<Page<T>, ApiError> {
        let mut objects = Vec::new();
        let read = self.page(query, continue_token, |object| {
            objects.extend(reduce(object).map_err(shape_failure)?);
            Ok(())
        });
        let position = read.await.map_err(|failure| list_error(query, failure))?;
        Ok(Page {
            objects,
            continue_token: position.continue_token,
            resource_version: position.resource_version,
        })
    }

    async fn get<T>(
        &self,
        key: &ObjectKey,
        depth: Depth,
        reduce: impl FnOnce(RawObject<'_>) -> Result<T, UnexpectedShape>,
    ) -> Result<Option<T>, ApiError> {
        let outgoing = Outgoing {
            method: Method::GET,
            uri: urls::object(key),
            scale: Scale::Object,
            depth,
            body: None,
        };
        let body = match self.send(key.resource, outgoing).await {
            Ok(body) => body,
            Err(Failure::NotFound(_)) => return Ok(None),
            Err(failure) => return Err(ApiError::on(Verb::Get, key, failure)),
        };
        let fail = |failure| ApiError::on(Verb::Get, key, failure);
        let text = str::from_utf8(&body)
            .map_err(|_| fail(Failure::Malformed("it isn't UTF-8".to_owned())))?;
        reduce(RawObject::new(text))
            .map(Some)
            .map_err(|shape| fail(shape_failure(shape)))
    }

    fn writes(&self) -> Writes {
        if self.options.dry_run {
            Writes::Tried
        } else {
            Writes::Kept
        }
    }

    async fn create(&self, desired: &Desired) -> Result<(), ApiError> {
        let body = bodies::create(desired);
        self.post(&desired.key, body, self.options.dry_run).await
    }

    async fn try_create(&self, desired: &Desired) -> Result<(), ApiError> {
        let body = bodies::try_create(desired);
        self.post(&desired.key, body, true).await
    }

    /// A PUT costs the API server a sixth less than a patch, but leaves nothing of what others wrote, and
    /// needs a right of its own.
    async fn update(&self, desired: &Desired, observed: &Observed) -> Result<(), ApiError> {
        let is_whole = observed.is_ours_alone && observed.marks.adopted.is_none();
        if is_whole && self.may_put.get() {
            match self.put(desired, observed).await {
                Err(error) if matches!(error.failure, Failure::Forbidden(_)) => {
                    self.may_put.set(false);
                }
                done => return done,
            }
        }
        let body = bodies::update(desired, observed);
        let path = urls::object(&desired.key);
        self.patch(&desired.key, &path, body).await
    }

    async fn orphan(&self, observed: &Observed) -> Result<(), ApiError> {
        let path = urls::object(&observed.key);
        self.patch(&observed.key, &path, bodies::orphan(observed))
            .await
    }

    async fn release(&self, observed: &Observed) -> Result<(), ApiError> {
        let body = bodies::release(observed);
        let path = urls::object(&observed.key);
        self.patch(&observed.key, &path, body).await
    }

    async fn write_status(&self, update: &StatusUpdate) -> Result<(), ApiError> {
        let path = format!("{}/status", urls::object(&update.key));
        self.patch(&update.key, &path, bodies::status(update)).await
    }

    async fn delete(&self, observed: &Observed) -> Result<(), ApiError> {
        let body = bodies::delete(observed, self.options.dry_run);
        let uri = urls::object(&observed.key);
        let body = ("application/json", body);
        self.write(Method::DELETE, Verb::Delete, &observed.key, uri, body)
            .await
    }

    async fn may(&self, access: &Access) -> Result<Answer, ApiError> {
        access::may(&self.sender, access).await
    }

    async fn user(&self) -> Result<Arc<str>, ApiError> {
        access::user(&self.sender).await
    }
}

impl WatchableCluster for ApiServer {
    fn watch<T>(
        &self,
        query: Query,
        since: Box<str>,
        reduce: impl FnMut(RawObject<'_>) -> Result<Option<T>, UnexpectedShape>,
    ) -> impl Stream<Item = Result<Message<T>, ApiError>> {
        watch::watch(self.sender.client(), query, since, reduce)
    }
}

/// The failure of a list.
pub fn list_error(query: &Query, failure: Failure) -> ApiError {
    let resource = query.resource.qualified_plural();
    let subject = match &query.namespace {
        Some(namespace) => format!("{resource} in namespace {namespace}"),
        None => resource,
    };
    ApiError {
        verb: Verb::List,
        subject,
        failure,
    }
}

/// What an object of another shape than promised means.
pub fn shape_failure(shape: UnexpectedShape) -> Failure {
    malformed(shape.line, shape.column)
}

fn malformed(line: usize, column: usize) -> Failure {
    Failure::Malformed(format!("unexpected at line {line}, column {column}"))
}
