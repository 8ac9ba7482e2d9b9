//! What the engine asks of a domain: what it needs to read, and what should exist then.

use jiff::Timestamp;
use serde_json::Value;

use super::{
    ApiError, Desired, Finding, ObjectKey, Outcome, Owner, Query, RawObject, ResourceType, Scope,
    UnexpectedShape,
};

/// Something that a domain needs to read before it can tell what should exist.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    /// A collection.
    List(Query),
    /// One object, whole.
    Get(ObjectKey),
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
/// It does no I/O of its own: the engine reads what it asks for, and may read it once or watch it.
pub trait Domain {
    /// What one object that was read is reduced to.
    type Fact;
    /// Why the domain can't say anything at all.
    type Error: std::error::Error + 'static;

    /// The resources that the domain's objects are of.
    fn resources(&self) -> Vec<&'static ResourceType>;

    /// The label that names the owner on the domain's objects.
    fn owner_label(&self) -> &'static str;

    /// All inputs as far as they are known from what was absorbed: rules may name more to read.
    fn inputs(&self) -> Vec<Input>;

    /// Reduces one object of an input to what the domain needs of it; none when that is nothing.
    fn reduce(
        &self,
        input: &Input,
        object: RawObject<'_>,
    ) -> Result<Option<Self::Fact>, UnexpectedShape>;

    /// Takes in everything that an input holds, or why it couldn't be read.
    fn absorb(
        &mut self,
        input: &Input,
        facts: Result<Vec<Self::Fact>, ApiError>,
    ) -> Result<(), Self::Error>;

    /// Takes in that the domain's objects of a resource couldn't be listed.
    fn resource_unreadable(
        &mut self,
        resource: &'static ResourceType,
        error: ApiError,
    ) -> Result<(), Self::Error>;

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
