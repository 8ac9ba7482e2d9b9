//! What the engine asks of a domain whose objects are kept in step for good.

use crate::reconcile::{ApiError, Collection, Desired, Domain, Namespace, ObjectKey, Query};

use super::Priority;

/// A collection that a domain wants to be kept up to date about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Followed {
    /// The collection.
    pub query: Query,
    /// What of it is needed, as a digest: when that changes, the collection is read anew.
    pub filter: u64,
}

/// What a change may have put out of step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Affected {
    /// Nothing.
    Nothing,
    /// The objects in one namespace.
    Namespace(Namespace, Priority),
    /// Anything.
    Everything,
}

/// A domain that learns of changes one by one, and tells what is wanted place by place.
pub trait ContinuousDomain: Domain {
    /// The collections to follow, as far as they are known by now.
    fn followed(&self) -> Vec<Followed>;

    /// Takes in all that a collection holds.
    fn listed(&mut self, query: &Query, facts: Vec<Self::Fact>) -> Affected;

    /// Takes in an object of a collection that came or was changed.
    fn applied(&mut self, query: &Query, fact: Self::Fact) -> Affected;

    /// Takes in that an object of a collection is gone.
    fn deleted(&mut self, query: &Query, fact: &Self::Fact) -> Affected;

    /// Takes in that a collection can't be followed. What was known of it is still believed.
    fn unreadable(&mut self, query: &Query, error: &ApiError) -> Affected;

    /// Takes in that a collection isn't followed any more.
    fn forgotten(&mut self, query: &Query);

    /// Takes in that the domain's objects of a collection are known.
    fn collection_read(&mut self, collection: &Collection);

    /// Objects that must be read whole, because what is followed tells only that they changed. Each state of
    /// them is asked for once.
    fn unread(&mut self) -> Vec<ObjectKey>;

    /// Takes in such an object; none when it is gone.
    fn read_whole(
        &mut self,
        key: &ObjectKey,
        read: Result<Option<Self::Fact>, ApiError>,
    ) -> Affected;

    /// Whether enough is known to say at all what should exist.
    fn is_informed(&self) -> bool;

    /// Whether everything that is followed has been read, or has been found to be unreadable.
    fn is_complete(&self) -> bool;

    /// Who wants this object, in the order of their rank.
    fn claims(&self, key: &ObjectKey) -> Vec<Desired>;

    /// What is wanted in a namespace.
    fn wanted_in(&self, namespace: &Namespace) -> Vec<Desired>;

    /// Whether the place of an object is known to exist.
    fn has_place(&self, _key: &ObjectKey) -> bool {
        true
    }

    /// Begins to count anew what becomes of the objects that are wanted, for the owners' statuses.
    fn begin_account(&mut self);
}
