//! Removing the copies of rules on purpose: whether the rules still want them, or exist at all.

use std::{collections::BTreeSet, convert::Infallible, sync::Arc};

use jiff::Timestamp;

use super::{CopyError, RULES, copies::collections};
use crate::reconcile::{
    ApiError, Collection, Desired, Domain, Finding, Input, Loaded, Outcome, Owner, OwnerKind,
    Pruning, RawObject, Scope, SetName, Severity, StatusUpdate, UnexpectedShape,
};

/// The copies of some rules, of which none is wanted.
pub struct Removal {
    set: SetName,
    /// The rules by name; none means all of the set.
    rules: Option<BTreeSet<Arc<str>>>,
    unlisted: Vec<ApiError>,
    /// The rules of which a copy was found.
    found: BTreeSet<Owner>,
}

impl Removal {
    /// The copies of these rules of a set, or of all rules of the set.
    pub fn new(set: SetName, rules: Option<BTreeSet<Arc<str>>>) -> Self {
        Self {
            set,
            rules,
            unlisted: Vec::new(),
            found: BTreeSet::new(),
        }
    }

    /// The rules that were named, and of which no copy was found. None where not all copies could be
    /// listed: then it isn't known.
    pub fn without_copies(&self) -> impl Iterator<Item = &Arc<str>> {
        let is_found = |name: &&Arc<str>| self.found.iter().any(|owner| owner.name == **name);
        let names = self
            .rules
            .iter()
            .filter(|_| self.unlisted.is_empty())
            .flatten();
        names.filter(move |name| !is_found(name))
    }
}

impl Domain for Removal {
    type Feed = Infallible;
    type Fact = Infallible;
    type Error = CopyError;

    fn collections(&self) -> Vec<Collection> {
        collections()
    }

    fn owner_kind(&self) -> &'static OwnerKind {
        &RULES
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
    ) -> Result<(), CopyError> {
        facts.map(|_| ()).map_err(CopyError::Api)
    }

    fn collection_unreadable(&mut self, _: &Collection, error: ApiError) -> Result<(), CopyError> {
        self.unlisted.push(error);
        Ok(())
    }

    fn desired(&mut self) -> Vec<Desired> {
        Vec::new()
    }

    fn scope(&self) -> Scope {
        let rules = self.rules.iter().flatten();
        let rules = rules.map(|name| (None, Arc::clone(name))).collect();
        Scope {
            set: self.set.clone(),
            loaded: if self.rules.is_none() {
                Loaded::WholeSet
            } else {
                Loaded::Only(rules)
            },
            withheld: BTreeSet::new(),
            orphaning: BTreeSet::new(),
            kept_sources: std::collections::HashSet::new(),
            leaving: std::collections::HashSet::new(),
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
