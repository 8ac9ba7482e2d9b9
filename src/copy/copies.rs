//! What is known of rules, originals and namespaces, and what copies should exist therefore.

use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    sync::Arc,
};

use super::{
    continuous::Continuity,
    exclusion::Exclusion,
    fact::{Fact, KnownNamespace},
    original::Original,
    rule::Rule,
    rule_source::{COPYRATOR_RULES, LoadedRule, RuleSource},
    sources,
    status::Progress,
    wishes::Wishes,
};
use crate::api::Checking;
use crate::reconcile::{
    ApiError, Collection, Input, Namespace, ObjectKey, Owner, OwnerKind, PrunePolicy, Pruning,
    ResourceType,
};

/// Rules, as the owners of copies.
pub static RULES: OwnerKind = OwnerKind {
    resource: &COPYRATOR_RULES,
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
    /// Where copies couldn't be listed.
    pub(super) unlisted: Vec<(Collection, ApiError)>,
    pub(super) progress: BTreeMap<Owner, Progress>,
    pub(super) worked: OnceCell<Worked>,
    pub(super) continuity: Continuity,
    pub(super) checking: Option<Checking<Owner>>,
    pub(super) rules_to_come: bool,
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
    pub(super) fn selects_by(&self, key: &str) -> bool {
        self.active_rules().any(|rule| rule.target.selects_by(key))
    }

    /// Whether a rule that is in use may copy this object.
    pub(super) fn may_select(&self, key: &ObjectKey) -> bool {
        self.active_rules().any(|rule| rule.may_select(key))
    }

    pub(super) fn orphaning_rules(&self) -> BTreeSet<Owner> {
        let orphaning = self
            .active_rules()
            .filter(|rule| rule.policies.prune == PrunePolicy::Orphan);
        orphaning.map(|rule| rule.owner.clone()).collect()
    }

    /// Originals that became copies themselves: some other rule has taken them over. What was made from
    /// them isn't wanted, and isn't in the way either.
    pub(super) fn kept_sources(&self) -> HashSet<(&'static ResourceType, Arc<str>)> {
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
            let is_placed = |rule: &Rule| self.knows_places_of(rule);
            let wishes = Wishes::new(self.active_rules(), &self.originals, is_placed, unknown);
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

    pub(super) fn take(&mut self, input: &Input, fact: Fact) -> Result<(), CopyError> {
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
    pub(super) fn check_names(&self) -> Result<(), CopyError> {
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
