//! Copying as a domain of the engine.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use super::{
    fact::{self, Fact, KnownNamespace},
    original::Original,
    rule::Rule,
    rule_source::{COPYRATOR_RULES, LoadedRule, RuleSource},
    sources, targets,
};
use crate::reconcile::{
    ApiError, CONFIG_MAPS, Depth, Desired, Domain, Failure, Finding, Input, NAMESPACES, Namespace,
    ObjectKey, Owner, Query, RawObject, ResourceType, SECRETS, Scope, Severity, UnexpectedShape,
};

/// The label that names the rule on a copy.
pub const OWNER_LABEL: &str = "copyrator.dev/rule";

/// Why nothing can be said about copies.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The API server doesn't know CopyratorRules.
    #[error("the cluster has no CopyratorRules: their CustomResourceDefinition is not installed")]
    NotInstalled,
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
    rule_source: RuleSource,
    prune: bool,
    rules: BTreeMap<Owner, LoadedRule>,
    namespaces: BTreeMap<Namespace, KnownNamespace>,
    candidates: HashMap<Input, Vec<ObjectKey>>,
    originals: BTreeMap<ObjectKey, Original>,
    unreadable: HashMap<Input, ApiError>,
    unlisted: Vec<(&'static ResourceType, ApiError)>,
}

impl Copies {
    /// The copies that the rules of `rule_source` want; `prune` says whether others are deleted.
    pub fn new(rule_source: RuleSource, prune: bool) -> Self {
        let rules = match &rule_source {
            RuleSource::Cluster { .. } => BTreeMap::new(),
            RuleSource::Files { rules } => rules
                .iter()
                .map(|rule| LoadedRule::from_file(rule, rule_source.set()))
                .map(|rule| (rule.owner.clone(), rule))
                .collect(),
        };
        Self {
            rule_source,
            prune,
            rules,
            namespaces: BTreeMap::new(),
            candidates: HashMap::new(),
            originals: BTreeMap::new(),
            unreadable: HashMap::new(),
            unlisted: Vec::new(),
        }
    }

    /// How many rules there are.
    pub fn rule_count(&self) -> usize {
        self.rules.len()
    }

    fn usable_rules(&self) -> impl Iterator<Item = &Rule> {
        self.rules
            .values()
            .filter_map(|loaded| loaded.rule.as_ref().ok())
    }

    fn source_inputs(&self, rule: &Rule) -> Vec<Input> {
        sources::inputs(rule, |list| {
            self.candidates.get(list).into_iter().flatten().collect()
        })
    }

    fn take(&mut self, input: &Input, fact: Fact) {
        match fact {
            Fact::Rule(rule) => {
                self.rules.insert(rule.owner.clone(), *rule);
            }
            Fact::Namespace(namespace) => {
                self.namespaces.insert(namespace.name.clone(), namespace);
            }
            Fact::Candidate(key) => self.candidates.entry(input.clone()).or_default().push(key),
            Fact::Original(original) => {
                self.originals.insert(original.key.clone(), original);
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
        if missing.is_empty() {
            Ok(())
        } else {
            Err(CopyError::NoSuchRules(missing))
        }
    }

    /// What keeps a rule's wishes from being fully known.
    fn obstacles(&self, loaded: &LoadedRule) -> Vec<String> {
        let rule = match &loaded.rule {
            Ok(rule) => rule,
            Err(problem) => return vec![problem.clone()],
        };
        let missing = rule
            .source
            .namespaces
            .iter()
            .filter(|name| !self.namespaces.contains_key(name));
        let missing = missing.map(|name| {
            format!("spec.source.namespaces: there is no namespace {name}; nothing is pruned for this rule")
        });
        let unreadable = self.source_inputs(rule);
        let unreadable = unreadable
            .iter()
            .filter_map(|input| self.unreadable.get(input));
        missing.chain(unreadable.map(ToString::to_string)).collect()
    }

    /// Originals that a rule names outright and that won't be copied.
    fn disappointments(&self, rule: &Rule) -> Vec<String> {
        let inputs = self.source_inputs(rule);
        let by_list = inputs.iter().any(|input| matches!(input, Input::List(_)));
        let named = inputs.into_iter().filter_map(|input| match input {
            Input::Get(key) if !by_list => Some(key),
            _ => None,
        });
        named
            .filter_map(|key| self.disappointment(rule, &key))
            .collect()
    }

    fn disappointment(&self, rule: &Rule, key: &ObjectKey) -> Option<String> {
        let namespace_known = self.namespaces.contains_key(key.namespace.as_ref()?);
        match self.originals.get(key) {
            None if !namespace_known || self.unreadable.contains_key(&Input::Get(key.clone())) => {
                None
            }
            None => Some(format!("there is no {key}, so there is nothing to copy")),
            Some(Original {
                exclusion: Some(exclusion),
                ..
            }) => Some(format!("{key} is never copied: {exclusion}")),
            Some(original) => {
                let r#type = original.content.r#type.as_deref();
                let selected = rule.selects(key, &original.labels, r#type);
                (!selected).then(|| format!("{key} is not of a type in spec.source.types"))
            }
        }
    }

    /// Copies that can't be listed can't be pruned either: that matters where pruning was asked for.
    fn unlisted_findings(&self) -> impl Iterator<Item = Finding> {
        self.unlisted.iter().map(|(resource, error)| {
            let used = self.usable_rules().any(|rule| rule.resource == *resource);
            let severity = if self.prune && used {
                Severity::Error
            } else {
                Severity::Warning
            };
            let plural = resource.plural;
            let message =
                format!("{error}; so copies are looked up one by one, and no {plural} are pruned");
            Finding {
                severity,
                owner: None,
                message,
            }
        })
    }

    fn finding(severity: Severity, owner: &Owner, message: String) -> Finding {
        Finding {
            severity,
            owner: Some(owner.clone()),
            message,
        }
    }
}

impl Domain for Copies {
    type Fact = Fact;
    type Error = CopyError;

    fn resources(&self) -> Vec<&'static ResourceType> {
        vec![&CONFIG_MAPS, &SECRETS]
    }

    fn owner_label(&self) -> &'static str {
        OWNER_LABEL
    }

    fn inputs(&self) -> Vec<Input> {
        let mut inputs = vec![Input::List(Query::all(&NAMESPACES, Depth::Metadata))];
        if let RuleSource::Cluster { .. } = self.rule_source {
            inputs.push(Input::List(Query::all(&COPYRATOR_RULES, Depth::Full)));
        }
        inputs.extend(
            self.usable_rules()
                .flat_map(|rule| self.source_inputs(rule)),
        );
        inputs
    }

    fn reduce(
        &self,
        input: &Input,
        object: RawObject<'_>,
    ) -> Result<Option<Fact>, UnexpectedShape> {
        fact::reduce(input, object).map(Some)
    }

    fn absorb(
        &mut self,
        input: &Input,
        facts: Result<Vec<Fact>, ApiError>,
    ) -> Result<(), CopyError> {
        let is_list_of =
            |resource| matches!(input, Input::List(query) if query.resource == resource);
        match facts {
            Ok(facts) => facts.into_iter().for_each(|fact| self.take(input, fact)),
            Err(ApiError {
                failure: Failure::NotFound(_),
                ..
            }) if is_list_of(&COPYRATOR_RULES) => {
                return Err(CopyError::NotInstalled);
            }
            Err(error) if is_list_of(&COPYRATOR_RULES) || is_list_of(&NAMESPACES) => {
                return Err(CopyError::Api(error));
            }
            Err(error) => {
                self.unreadable.insert(input.clone(), error);
            }
        }
        if is_list_of(&COPYRATOR_RULES) {
            self.check_names()
        } else {
            Ok(())
        }
    }

    fn resource_unreadable(
        &mut self,
        resource: &'static ResourceType,
        error: ApiError,
    ) -> Result<(), CopyError> {
        match error.failure {
            // Without the right to list, each copy can still be looked up on its own.
            Failure::Forbidden(_) => {
                self.unlisted.push((resource, error));
                Ok(())
            }
            _ => Err(CopyError::Api(error)),
        }
    }

    fn desired(&self) -> Vec<Desired> {
        self.usable_rules()
            .flat_map(|rule| targets::wanted(rule, &self.namespaces, &self.originals))
            .collect()
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
            leaving: leaving.map(|namespace| namespace.name.clone()).collect(),
            prune: self.prune,
        }
    }

    fn findings(&self) -> Vec<Finding> {
        let scope = self.scope();
        let mut findings: Vec<Finding> = self.unlisted_findings().collect();
        for loaded in self
            .rules
            .values()
            .filter(|loaded| scope.acts_for(&loaded.owner))
        {
            let errors = self.obstacles(loaded).into_iter();
            findings.extend(errors.map(|text| Self::finding(Severity::Error, &loaded.owner, text)));
            let warnings = loaded
                .rule
                .iter()
                .flat_map(|rule| self.disappointments(rule));
            findings
                .extend(warnings.map(|text| Self::finding(Severity::Warning, &loaded.owner, text)));
        }
        findings
    }
}
