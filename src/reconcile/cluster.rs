//! What the engine asks of a cluster; the room `cluster` answers, and tests may.

use std::sync::Arc;

use futures::Stream;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    Access, Answer, ApiError, Desired, Namespace, ObjectKey, Observed, Page, ResourceType,
    StatusUpdate,
};

/// How much of each object a request brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Depth {
    /// Its metadata.
    Metadata,
    /// All of it.
    Full,
}

/// A collection of objects to read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Query {
    /// The resource.
    pub resource: &'static ResourceType,
    /// The namespace; all of them when none.
    pub namespace: Option<Namespace>,
    /// A label selector in the API's syntax; empty for all.
    pub labels: String,
    /// A field selector in the API's syntax; empty for all.
    pub fields: String,
    /// How much of each object is needed.
    pub depth: Depth,
}

impl Query {
    /// All objects of a resource in all namespaces.
    pub fn all(resource: &'static ResourceType, depth: Depth) -> Self {
        Self {
            resource,
            namespace: None,
            labels: String::new(),
            fields: String::new(),
            depth,
        }
    }
}

/// One object as the API server sent it. It may be a Secret, so it has neither Debug nor Display.
#[derive(Clone, Copy)]
pub struct RawObject<'a> {
    json: &'a str,
}

/// An object that doesn't have the shape that the API promises. What exactly is wrong would quote
/// the object, so only the place is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an object has an unexpected shape at line {line}, column {column}")]
pub struct UnexpectedShape {
    /// The line within the object's JSON, from 1.
    pub line: usize,
    /// The column within that line, from 1.
    pub column: usize,
}

impl<'a> RawObject<'a> {
    /// Wraps an object's JSON.
    pub fn new(json: &'a str) -> Self {
        Self { json }
    }

    /// Reads the parts of the object that `T` names.
    pub fn parse<T: Deserialize<'a>>(self) -> Result<T, UnexpectedShape> {
        serde_json::from_str(self.json).map_err(|error| UnexpectedShape {
            line: error.line(),
            column: error.column(),
        })
    }
}

impl<'a> From<&'a RawValue> for RawObject<'a> {
    fn from(value: &'a RawValue) -> Self {
        Self::new(value.get())
    }
}

/// What becomes of the writes that a cluster is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writes {
    /// They take effect.
    Kept,
    /// The API server checks them, and keeps none.
    Tried,
    /// They are taken to succeed; nobody checks them.
    Assumed,
}

/// A cluster that the engine works on.
#[expect(
    async_fn_in_trait,
    reason = "the engine runs on one thread, so no future need be Send"
)]
pub trait Cluster {
    /// Reads a page of a collection: the first one, or the one that a token of the page before asks
    /// for. Each object is reduced as soon as its page is there; none means that it isn't needed.
    async fn list_page<T>(
        &self,
        query: &Query,
        continue_token: Option<&str>,
        reduce: impl FnMut(RawObject<'_>) -> Result<Option<T>, UnexpectedShape>,
    ) -> Result<Page<T>, ApiError>;

    /// Reads one object; none when there is no such object.
    async fn get<T>(
        &self,
        key: &ObjectKey,
        depth: Depth,
        reduce: impl FnOnce(RawObject<'_>) -> Result<T, UnexpectedShape>,
    ) -> Result<Option<T>, ApiError>;

    /// What becomes of the writes.
    fn writes(&self) -> Writes;

    /// Makes an object, with our marks.
    async fn create(&self, desired: &Desired) -> Result<(), ApiError>;

    /// Lets an object be checked as if it were made under a name that isn't taken; none is made.
    async fn try_create(&self, desired: &Desired) -> Result<(), ApiError>;

    /// Writes content and marks onto the object in the state that was observed.
    async fn update(&self, desired: &Desired, observed: &Observed) -> Result<(), ApiError>;

    /// Marks the object, in the state that was observed, as one that stays once nobody wants it.
    async fn orphan(&self, observed: &Observed) -> Result<(), ApiError>;

    /// Takes our marks off the object in the state that was observed.
    async fn release(&self, observed: &Observed) -> Result<(), ApiError>;

    /// Deletes the object in the state that was observed.
    async fn delete(&self, observed: &Observed) -> Result<(), ApiError>;

    /// Writes the status of an owner.
    async fn write_status(&self, update: &StatusUpdate) -> Result<(), ApiError>;

    /// Whether its user may do something.
    async fn may(&self, access: &Access) -> Result<Answer, ApiError>;

    /// The name of its user.
    async fn user(&self) -> Result<Arc<str>, ApiError>;
}

/// What a watch tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Watched<T> {
    /// An object came into being, or into the collection, or was changed.
    Applied(T),
    /// An object is gone, or isn't of the collection any more; this was its last state.
    Deleted(T),
    /// Nothing that matters has happened.
    Nothing,
}

/// One message of a watch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message<T> {
    /// What it tells.
    pub watched: Watched<T>,
    /// The state of the collection that it leads to: another watch may go on from there.
    pub resource_version: Box<str>,
}

/// A cluster whose changes can be followed.
pub trait WatchableCluster: Cluster {
    /// Follows the changes of a collection since a state of it, until the API server ends that. Each object
    /// is reduced as soon as it is there; none means that it isn't needed.
    fn watch<T>(
        &self,
        query: Query,
        since: Box<str>,
        reduce: impl FnMut(RawObject<'_>) -> Result<Option<T>, UnexpectedShape>,
    ) -> impl Stream<Item = Result<Message<T>, ApiError>>;
}
