//! What the engine asks of a domain: what it needs to read, and what should exist then.

use std::{convert::Infallible, fmt::Debug, hash::Hash};

use jiff::Timestamp;
use serde_json::Value;

use super::{
    ApiError, Depth, Desired, Finding, MANAGED_BY, MANAGED_BY_LABEL, Name, Namespace, ObjectKey,
    Outcome, Owner, OwnerKind, Query, RawObject, ResourceType, Scope, UnexpectedShape,
};

/// Something that a domain needs to read before it can tell what should exist.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Input<Feed = Infallible> {
    /// A collection.
    List(Query),
    /// One object, whole.
    Get(ObjectKey),
    /// Something that isn't in the cluster, such as what a provider of exchange rates says.
    Feed(Feed),
}

/// Where a domain's objects are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Collection {
    /// The resource that they are of.
    pub resource: &'static ResourceType,
    /// The namespace; all of them when none.
    pub namespace: Option<Namespace>,
    /// The name that they all have; any when none.
    pub name: Option<Name>,
}

impl Collection {
    /// All objects of a resource, wherever they are.
    pub fn everywhere(resource: &'static ResourceType) -> Self {
        Self {
            resource,
            namespace: None,
            name: None,
        }
    }

    /// Whether an object is in it, if it is one of the domain's.
    pub fn contains(&self, key: &ObjectKey) -> bool {
        let in_namespace = |namespace| key.namespace.as_ref() == Some(namespace);
        key.resource == self.resource
            && self.namespace.as_ref().is_none_or(in_namespace)
            && self.name.as_ref().is_none_or(|name| *name == key.name)
    }

    /// Whether all that is in another one is in this one.
    pub fn covers(&self, other: &Self) -> bool {
        self.resource == other.resource
            && (self.namespace.is_none() || self.namespace == other.namespace)
            && (self.name.is_none() || self.name == other.name)
    }

    /// The list of the objects in it that bear the label of their owners.
    pub fn query(&self, owner_label: &str, depth: Depth) -> Query {
        let fields = self
            .name
            .as_ref()
            .map(|name| format!("metadata.name={name}"));
        Query {
            labels: format!("{MANAGED_BY_LABEL}={MANAGED_BY},{owner_label}"),
            fields: fields.unwrap_or_default(),
            namespace: self.namespace.clone(),
            ..Query::all(self.resource, depth)
        }
    }
}

/// What the status of an owner should say.
#[derive(Clone, Debug, PartialEq)]
pub struct StatusUpdate {
    /// The owner.
    pub owner: Owner,
    /// The object that the owner is.
    pub key: ObjectKey,
    /// The state of it that the status is about: a later one has a status of its own.
    pub resource_version: Box<str>,
    /// The whole status.
    pub status: Value,
}

/// A domain: it turns what it reads into the objects that should exist.
///
/// It asks for what it needs, and the engine decides when that is read: once, or whenever it changes. Of
/// I/O it does nothing but read its feeds.
#[expect(
    async_fn_in_trait,
    reason = "the engine runs on one thread, so no future need be Send"
)]
pub trait Domain {
    /// Something outside of the cluster that it reads; `Infallible` when there is no such thing.
    type Feed: Clone + Debug + Eq + Hash;
    /// What one object that was read, or one answer of a feed, is reduced to.
    type Fact;
    /// Why the domain can't say anything at all.
    type Error: std::error::Error + 'static;

    /// Where the domain's objects are, as far as that is known and may be read.
    fn collections(&self) -> Vec<Collection>;

    /// What the owners of the domain's objects are called.
    fn owner_kind(&self) -> &'static OwnerKind;

    /// All inputs as far as they are known from what was absorbed: rules may name more to read.
    fn inputs(&self) -> Vec<Input<Self::Feed>>;

    /// Reduces one object of an input to what the domain needs of it; none when that is nothing.
    fn reduce(
        &self,
        input: &Input<Self::Feed>,
        object: RawObject<'_>,
    ) -> Result<Option<Self::Fact>, UnexpectedShape>;

    /// Reads a feed. Whether it could be read is for the domain to know: the fact says so.
    async fn read(&self, feed: &Self::Feed) -> Self::Fact;

    /// Takes in everything that an input holds, or why it couldn't be read.
    fn absorb(
        &mut self,
        input: &Input<Self::Feed>,
        facts: Result<Vec<Self::Fact>, ApiError>,
    ) -> Result<(), Self::Error>;

    /// Takes in that the domain's objects of a collection couldn't be listed.
    fn collection_unreadable(
        &mut self,
        collection: &Collection,
        error: ApiError,
    ) -> Result<(), Self::Error>;

    /// Forgets what was absorbed, but not what was found out about collections: all is read once more.
    fn forget_inputs(&mut self) {}

    /// What should exist; asked for once, when all is absorbed.
    fn desired(&mut self) -> Vec<Desired>;

    /// What the run answers for.
    fn scope(&self) -> Scope;

    /// What a person should know of the owners.
    fn findings(&self) -> Vec<Finding>;

    /// Takes in what became of one object.
    fn settled(&mut self, outcome: &Outcome);

    /// The statuses of owners that should say something else than they do.
    fn statuses(&self, now: Timestamp) -> Vec<StatusUpdate>;
}
