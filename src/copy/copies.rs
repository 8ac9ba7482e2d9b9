//! Copying as a domain of the engine.

use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    convert::Infallible,
    sync::Arc,
};

use jiff::Timestamp;

use super::{
    continuous::Continuity,
    exclusion::Exclusion,
    fact::{self, Fact, KnownNamespace},
    original::Original,
    rule::Rule,
    rule_source::{COPYRATOR_RULES, LoadedRule, RuleSource},
    sources,
    status::Progress,
    wishes::Wishes,
};
use crate::api::Checking;
use crate::reconcile::{
    ApiError, CONFIG_MAPS, Collection, ContinuousDomain as _, DEFINITIONS, Depth, Desired, Domain,
    Failure, Finding, Input, NAMESPACES, Namespace, ObjectKey, Outcome, Owner, OwnerKind,
    PrunePolicy, Pruning, Query, RawObject, ResourceType, SECRETS, Scope, StatusUpdate,
    UnexpectedShape,
};

/// Rules, as the owners of copies.
pub static RULES: OwnerKind = OwnerKind {
    label: "copyrator.dev/rule",
    noun: "rule",
    is_namespaced: false,
};

/// Why nothing can be said about copies.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The API server doesn't know CopyratorRules.
    #[error("the cluster has no CopyratorRules: their CustomResourceDefinition is not installed")]
    NotInstalled,
    /// The definition of CopyratorRules, and with it all rules, are being deleted.
    #[error("the CustomResourceDefinition of CopyratorRules is being deleted; nothing was written")]
    BeingUninstalled,
    /// Rules were asked for that don't exist.
    #[error("{} not found", quoted(.0))]
    NoSuchRules(Vec<String>),
    /// Something that every rule depends on couldn't be read.
    #[error("{0}")]
    Api(#[source] ApiError),
}

fn quoted(names: &[String]) -> String {
    let resource = COPYRATOR_RULES.qualified_plural();
    names
        .iter()
        .map(|name| format!("{resource} \"{name}\""))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Where copies are.
pub fn collections() -> Vec<Collection> {
    let resources = [&CONFIG_MAPS, &SECRETS].into_iter();
    let everywhere = |resource| Collection {
        resource,
        namespace: None,
    };
    resources.map(everywhere).collect()
}

/// The copies that rules want.
pub struct Copies {
    pub(super) rule_source: RuleSource,
    pub(super) pruning: Pruning,
    pub(super) rules: BTreeMap<Owner, LoadedRule>,
    pub(super) namespaces: BTreeMap<Namespace, KnownNamespace>,
    /// The resourceVersions of what globs select.
    pub(super) candidates: HashMap<Input, BTreeMap<ObjectKey, Box<str>>>,
    pub(super) originals: BTreeMap<ObjectKey, Original>,
    pub(super) unreadable: HashMap<Input, ApiError>,
    pub(super) absorbed: HashSet<Input>,
    pub(super) unlisted: Vec<(&'static ResourceType, ApiError)>,
    pub(super) progress: BTreeMap<Owner, Progress>,
    pub(super) worked: OnceCell<Worked>,
    pub(super) continuity: Continuity,
    checking: Option<Checking<Owner>>,
    rules_to_come: bool,
}

/// What the rules make of what is known.
pub(super) struct Worked {
    pub(super) wishes: Wishes,
    /// Where originals couldn't be read, or haven't been read yet.
    unread: HashSet<(&'static ResourceType, Namespace)>,
}

impl Copies {
    /// The copies that the rules of `rule_source` want; `prune` says whether others are deleted.
    pub fn new(rule_source: RuleSource, prune: bool) -> Self {
        let rules = match &rule_source {
            RuleSource::Cluster { .. } => BTreeMap::new(),
            RuleSource::Files { rules, .. } => rules
                .iter()
                .map(|rule| LoadedRule::from_file(rule, rule_source.set()))
                .map(|rule| (rule.owner.clone(), rule))
                .collect(),
        };
        Self {
            rule_source,
            pruning: if prune {
                Pruning::ByPolicy
            } else {
                Pruning::Off
            },
            rules,
            namespaces: BTreeMap::new(),
            candidates: HashMap::new(),
            originals: BTreeMap::new(),
            unreadable: HashMap::new(),
            absorbed: HashSet::new(),
            unlisted: Vec::new(),
            progress: BTreeMap::new(),
            worked: OnceCell::new(),
            continuity: Continuity::default(),
            checking: None,
            rules_to_come: false,
        }
    }

    /// The same, where rules that are asked for by name may come to be later.
    #[must_use]
    pub fn of_rules_to_come(self) -> Self {
        Self {
            rules_to_come: true,
            ..self
        }
    }

    /// The rules that are understood and don't rest.
    pub(super) fn active_rules(&self) -> impl Iterator<Item = &Arc<Rule>> {
        self.rules
            .values()
            .filter_map(|loaded| loaded.rule.as_ref().ok())
            .filter(|rule| !rule.suspended)
    }

    /// Whether a rule that rests, or that we don't understand, may copy from this object: their originals
    /// aren't read.
    fn may_be_original(&self, key: &ObjectKey) -> bool {
        self.rules.values().any(|loaded| match &loaded.rule {
            Ok(rule) => rule.suspended && rule.may_select(key),
            Err(_) => loaded.may_copy_from(key.namespace.as_ref()),
        })
    }

    /// Whether a rule selects namespaces by the label with this key: others needn't be held.
    fn selects_by(&self, key: &str) -> bool {
        self.active_rules().any(|rule| rule.target.selects_by(key))
    }

    /// Whether a rule that is in use may copy this object.
    fn may_select(&self, key: &ObjectKey) -> bool {
        self.active_rules().any(|rule| rule.may_select(key))
    }

    fn orphaning_rules(&self) -> BTreeSet<Owner> {
        let orphaning = self
            .active_rules()
            .filter(|rule| rule.policies.prune == PrunePolicy::Orphan);
        orphaning.map(|rule| rule.owner.clone()).collect()
    }

    /// Originals that became copies themselves: some other rule has taken them over. What was made from
    /// them isn't wanted, and isn't in the way either.
    fn kept_sources(&self) -> HashSet<(&'static ResourceType, Arc<str>)> {
        let copies = self.originals.values();
        let copies = copies.filter(|original| original.exclusion == Some(Exclusion::Copy));
        let keys = copies.map(|original| &original.key);
        keys.map(|key| (key.resource, key.path().into())).collect()
    }

    /// What the rules make of what is known, worked out once until something else is known.
    pub(super) fn worked(&self) -> &Worked {
        self.worked.get_or_init(|| {
            let unread = self.unread_places();
            let unknown = |rule: &Rule, namespace: &Namespace| {
                self.is_unknown(rule.resource, namespace, &unread)
            };
            let wishes = Wishes::new(self.active_rules(), &self.originals, unknown);
            Worked { wishes, unread }
        })
    }

    /// Whether an original may be at this place, for all that is known.
    pub(super) fn is_taken(&self, key: &ObjectKey) -> bool {
        let Worked { wishes, unread } = self.worked();
        let place = || Some((key.resource, key.namespace.clone()?));
        wishes.is_original(key)
            || self.may_be_original(key)
            || (!unread.is_empty() && place().is_some_and(|place| unread.contains(&place)))
    }

    pub(super) fn source_inputs(&self, rule: &Rule) -> Vec<Input> {
        sources::inputs(rule, |list| {
            let candidates = self.candidates.get(list);
            candidates.into_iter().flat_map(BTreeMap::keys).collect()
        })
    }

    fn take(&mut self, input: &Input, fact: Fact) -> Result<(), CopyError> {
        match fact {
            Fact::Rule(rule) => {
                self.rules.insert(rule.owner.clone(), *rule);
            }
            Fact::Namespace(namespace) => {
                self.namespaces.insert(namespace.name.clone(), namespace);
            }
            Fact::Candidate(candidate) => {
                let candidates = self.candidates.entry(input.clone()).or_default();
                candidates.insert(candidate.key, candidate.version);
            }
            Fact::Original(original) => {
                self.originals.insert(original.key.clone(), original);
            }
            // The API server deletes all rules before their definition: that is no wish of anybody's.
            Fact::Definition { leaving: true } => return Err(CopyError::BeingUninstalled),
            Fact::Definition { leaving: false } => (),
        }
        Ok(())
    }

    pub(super) fn begin_check(&mut self) {
        let rules = self.rules.values_mut();
        let rules = rules.filter_map(|loaded| {
            let rule = loaded.unchecked.take()?;
            Some((loaded.owner.clone(), rule))
        });
        self.checking = Some(Checking::begin(rules.collect()));
    }

    pub(super) fn end_check(&mut self) {
        let problems = self.checking.take().map(Checking::end).unwrap_or_default();
        for (owner, problem) in problems {
            if let Some(loaded) = self.rules.get_mut(&owner) {
                loaded.rule = Err(problem);
            }
        }
    }

    /// A rule that was asked for by name must exist.
    fn check_names(&self) -> Result<(), CopyError> {
        let RuleSource::Cluster { names } = &self.rule_source else {
            return Ok(());
        };
        let known: BTreeSet<&Arc<str>> = self.rules.keys().map(|owner| &owner.name).collect();
        let missing: Vec<String> = names
            .iter()
            .filter(|name| !known.contains(name))
            .map(ToString::to_string)
            .collect();
        if missing.is_empty() || self.rules_to_come {
            Ok(())
        } else {
            Err(CopyError::NoSuchRules(missing))
        }
    }
}

impl Domain for Copies {
    type Feed = Infallible;
    type Fact = Fact;
    type Error = CopyError;

    fn collections(&self) -> Vec<Collection> {
        collections()
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
                self.unlisted.push((collection.resource, error));
                Ok(())
            }
            _ => Err(CopyError::Api(error)),
        }
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
