//! Removing objects on purpose: whether their owners still want them, or exist at all.

use std::{
    collections::{BTreeSet, HashSet},
    convert::Infallible,
};

use jiff::Timestamp;

use super::{
    ApiError, Collection, Desired, Domain, Finding, Input, Loaded, Outcome, Owner, OwnerKind,
    OwnerName, Pruning, RawObject, Scope, SetName, Severity, StatusUpdate, UnexpectedShape,
};

/// The objects of some owners, of which none is wanted.
pub struct Removal {
    kind: &'static OwnerKind,
    collections: Vec<Collection>,
    set: SetName,
    owners: Loaded,
    unlisted: Vec<ApiError>,
    /// The owners of which an object was found.
    found: BTreeSet<Owner>,
}

impl Removal {
    /// The objects, in these collections, of these owners of a set.
    pub fn new(
        kind: &'static OwnerKind,
        collections: Vec<Collection>,
        set: SetName,
        owners: Loaded,
    ) -> Self {
        Self {
            kind,
            collections,
            set,
            owners,
            unlisted: Vec::new(),
            found: BTreeSet::new(),
        }
    }

    /// The owners that were named, and of which no object was found. None where not all objects could be
    /// listed: then it isn't known.
    pub fn without_objects(&self) -> Vec<Owner> {
        let Loaded::Only(names) = &self.owners else {
            return Vec::new();
        };
        let names = names.iter().filter(|_| self.unlisted.is_empty());
        let owners = names.map(|name| self.owner(name));
        owners.filter(|owner| !self.found.contains(owner)).collect()
    }

    fn owner(&self, (namespace, name): &OwnerName) -> Owner {
        Owner {
            kind: self.kind,
            set: self.set.clone(),
            namespace: namespace.clone(),
            name: name.clone(),
        }
    }
}

impl Domain for Removal {
    type Feed = Infallible;
    type Fact = Infallible;
    type Error = ApiError;

    fn collections(&self) -> Vec<Collection> {
        self.collections.clone()
    }

    fn owner_kind(&self) -> &'static OwnerKind {
        self.kind
    }

    async fn read(&self, feed: &Infallible) -> Infallible {
        match *feed {}
    }

    fn inputs(&self) -> Vec<Input> {
        Vec::new()
    }

    fn reduce(&self, _: &Input, _: RawObject<'_>) -> Result<Option<Infallible>, UnexpectedShape> {
        Ok(None)
    }

    fn absorb(
        &mut self,
        _: &Input,
        facts: Result<Vec<Infallible>, ApiError>,
    ) -> Result<(), ApiError> {
        facts.map(|_| ())
    }

    fn collection_unreadable(&mut self, _: &Collection, error: ApiError) -> Result<(), ApiError> {
        self.unlisted.push(error);
        Ok(())
    }

    fn desired(&mut self) -> Vec<Desired> {
        Vec::new()
    }

    fn scope(&self) -> Scope {
        Scope {
            set: self.set.clone(),
            loaded: self.owners.clone(),
            withheld: BTreeSet::new(),
            orphaning: BTreeSet::new(),
            kept_sources: HashSet::new(),
            leaving: HashSet::new(),
            pruning: Pruning::OnPurpose,
        }
    }

    fn findings(&self) -> Vec<Finding> {
        let unlisted = self.unlisted.iter().map(|error| Finding {
            severity: Severity::Error,
            owner: None,
            message: error.to_string(),
            cause: Some(error.clone()),
        });
        unlisted.collect()
    }

    fn settled(&mut self, outcome: &Outcome) {
        self.found.extend(outcome.owner.clone());
    }

    fn statuses(&self, _: Timestamp) -> Vec<StatusUpdate> {
        Vec::new()
    }
}
