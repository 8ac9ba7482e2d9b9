//! Copying as a domain of the engine.

use std::convert::Infallible;

use jiff::Timestamp;

use super::{
    copies::{Copies, CopyError, RULES},
    fact::{self, Fact},
    rule_source::{COPYRATOR_RULES, RuleSource},
};
use crate::reconcile::{
    ApiError, Collection, ContinuousDomain as _, DEFINITIONS, Depth, Desired, Domain, Failure,
    Finding, Input, NAMESPACES, Outcome, OwnerKind, Query, RawObject, Scope, StatusUpdate,
    UnexpectedShape,
};

impl Domain for Copies {
    type Feed = Infallible;
    type Fact = Fact;
    type Error = CopyError;

    fn collections(&self) -> Vec<Collection> {
        self.readable_collections()
    }

    fn owner_kind(&self) -> &'static OwnerKind {
        &RULES
    }

    async fn read(&self, feed: &Infallible) -> Fact {
        match *feed {}
    }

    /// First the rules, then what they copy, and last the namespaces and the definition of the rules: one
    /// that goes away while its objects are read is then seen to be going, and what seems to be gone is
    /// kept.
    fn inputs(&self) -> Vec<Input> {
        let mut inputs = Vec::new();
        if let RuleSource::Cluster { .. } = self.rule_source {
            inputs.push(Input::List(Query::all(&COPYRATOR_RULES, Depth::Full)));
        }
        inputs.extend(
            self.active_rules()
                .flat_map(|rule| self.source_inputs(rule)),
        );
        if inputs.iter().all(|input| self.absorbed.contains(input)) {
            inputs.push(Input::List(Query::all(&NAMESPACES, Depth::Metadata)));
            if let RuleSource::Cluster { .. } = self.rule_source {
                inputs.push(Input::Get(COPYRATOR_RULES.definition()));
            }
        }
        inputs
    }

    fn reduce(
        &self,
        input: &Input,
        object: RawObject<'_>,
    ) -> Result<Option<Fact>, UnexpectedShape> {
        let mut fact = fact::reduce(input, object)?;
        match &mut fact {
            Fact::Namespace(namespace) => namespace.labels.retain(|key, _| self.selects_by(key)),
            Fact::Candidate(candidate) if !self.may_select(&candidate.key) => return Ok(None),
            _ => {}
        }
        Ok(Some(fact))
    }

    fn absorb(
        &mut self,
        input: &Input,
        facts: Result<Vec<Fact>, ApiError>,
    ) -> Result<(), CopyError> {
        self.absorbed.insert(input.clone());
        self.worked.take();
        let is_list_of =
            |resource| matches!(input, Input::List(query) if query.resource == resource);
        let is_definition = matches!(input, Input::Get(key) if key.resource == &DEFINITIONS);
        match facts {
            Ok(facts) if is_definition && facts.is_empty() => {
                return Err(CopyError::BeingUninstalled);
            }
            Ok(facts) => facts
                .into_iter()
                .try_for_each(|fact| self.take(input, fact))?,
            Err(error) if is_list_of(&COPYRATOR_RULES) && error.failure.is_unknown_resource() => {
                return Err(CopyError::NotInstalled);
            }
            Err(error) if is_list_of(&COPYRATOR_RULES) || is_list_of(&NAMESPACES) => {
                return Err(CopyError::Api(error));
            }
            // Who may not read it has to do without that protection.
            Err(error) if is_definition && !matches!(error.failure, Failure::Forbidden(_)) => {
                return Err(CopyError::Api(error));
            }
            Err(error) => {
                self.unreadable.insert(input.clone(), error);
            }
        }
        if is_list_of(&COPYRATOR_RULES) {
            self.begin_check();
            return self.check_names();
        }
        if is_list_of(&NAMESPACES) {
            self.end_check();
        }
        Ok(())
    }

    fn collection_unreadable(
        &mut self,
        collection: &Collection,
        error: ApiError,
    ) -> Result<(), CopyError> {
        match error.failure {
            // Without the right to list, each copy can still be looked up on its own.
            Failure::Forbidden(_) => {
                self.collection_read(collection);
                self.unlisted.push((collection.clone(), error));
                Ok(())
            }
            _ => Err(CopyError::Api(error)),
        }
    }

    fn forget_inputs(&mut self) {
        let source = self.rule_source.clone();
        let unlisted = std::mem::take(&mut self.unlisted);
        *self = Self {
            unlisted,
            pruning: self.pruning,
            rules_to_come: self.rules_to_come,
            ..Self::new(source, true)
        };
    }

    fn desired(&mut self) -> Vec<Desired> {
        let wishes = &self.worked().wishes;
        let wanted: Vec<Desired> = self
            .namespaces
            .values()
            .flat_map(|namespace| wishes.in_namespace(namespace, |key| self.is_taken(key)))
            .collect();
        for desired in &wanted {
            let owner = desired.template.owner.clone();
            self.progress.entry(owner).or_default().want_one();
        }
        wanted
    }

    fn scope(&self) -> Scope {
        let withheld = self
            .rules
            .values()
            .filter(|loaded| !self.obstacles(loaded).is_empty());
        let leaving = self
            .namespaces
            .values()
            .filter(|namespace| namespace.leaving);
        Scope {
            set: self.rule_source.set(),
            loaded: self.rule_source.loaded(),
            withheld: withheld.map(|loaded| loaded.owner.clone()).collect(),
            orphaning: self.orphaning_rules(),
            kept_sources: self.kept_sources(),
            leaving: leaving.map(|namespace| namespace.name.clone()).collect(),
            pruning: self.pruning,
        }
    }

    fn findings(&self) -> Vec<Finding> {
        self.all_findings()
    }

    fn settled(&mut self, outcome: &Outcome) {
        if let Some(owner) = &outcome.owner {
            self.progress
                .entry(owner.clone())
                .or_default()
                .count(outcome);
        }
    }

    fn statuses(&self, now: Timestamp) -> Vec<StatusUpdate> {
        self.changed_statuses(now)
    }
}
