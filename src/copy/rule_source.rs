//! Where rules come from: the cluster, or files.

use std::{collections::BTreeSet, sync::Arc};

use serde::Deserialize;
use serde_json::Value;

use super::{RULES, Rule};
use crate::{
    api::{CopyratorRule, CopyratorRuleSpec, CopyratorRuleStatus},
    reconcile::{Loaded, Namespace, Owner, RawObject, ResourceType, SetName, UnexpectedShape},
};

/// CopyratorRules.
pub static COPYRATOR_RULES: ResourceType = ResourceType {
    group: "copyrator.dev",
    version: "v1alpha1",
    kind: "CopyratorRule",
    plural: "copyratorrules",
    singular: "copyratorrule",
};

/// Where the rules of a run come from.
#[derive(Clone, Debug)]
pub enum RuleSource {
    /// The cluster: all rules, or those with these names.
    Cluster {
        /// The names asked for; empty for all.
        names: BTreeSet<Arc<str>>,
    },
    /// Files, already read and validated.
    Files {
        /// The rules.
        rules: Vec<CopyratorRule>,
        /// The set that they belong to.
        set: SetName,
        /// Whether they are the whole set: a rule that isn't among them doesn't exist any more.
        whole: bool,
    },
}

/// A rule as it was loaded, or why it can't be used.
pub struct LoadedRule {
    /// Who would own the copies.
    pub owner: Owner,
    /// The rule, or what is wrong with it.
    pub rule: Result<Arc<Rule>, String>,
    /// The rule as it was written, until it is checked against its schema.
    pub unchecked: Option<CopyratorRule>,
    /// The namespaces that it copies from, as far as they can be told even of a rule that can't be used;
    /// none when they can't.
    pub source_namespaces: Option<Vec<Namespace>>,
    /// The rule as an object of the cluster; none for one from a file.
    pub standing: Option<Standing>,
}

/// A rule as an object of the cluster.
pub struct Standing {
    /// Which object it is: one that was made anew under its name is another one.
    pub uid: Box<str>,
    /// Its version.
    pub resource_version: Box<str>,
    /// How often what it asks for has changed.
    pub generation: Option<i64>,
    /// What its status says.
    pub status: CopyratorRuleStatus,
}

impl RuleSource {
    /// The set that the rules belong to.
    pub fn set(&self) -> SetName {
        match self {
            Self::Cluster { .. } => SetName::cluster(),
            Self::Files { set, .. } => set.clone(),
        }
    }

    /// Which owners a run with these rules acts for.
    pub fn loaded(&self) -> Loaded {
        match self {
            Self::Cluster { names } if names.is_empty() => Loaded::WholeSet,
            Self::Cluster { names } => {
                Loaded::Only(names.iter().map(|name| (None, Arc::clone(name))).collect())
            }
            Self::Files { whole: true, .. } => Loaded::WholeSet,
            Self::Files { rules, .. } => {
                let names = rules
                    .iter()
                    .filter_map(|rule| rule.metadata.name.as_deref());
                Loaded::Only(names.map(|name| (None, Arc::from(name))).collect())
            }
        }
    }
}

/// The rule with this name as the owner of copies.
pub fn owner(set: SetName, name: Arc<str>) -> Owner {
    Owner {
        kind: &RULES,
        set,
        namespace: None,
        name,
    }
}

#[derive(Deserialize)]
struct WithMetadata {
    metadata: Metadata,
    #[serde(default)]
    spec: Value,
    #[serde(default)]
    status: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    name: Arc<str>,
    uid: Box<str>,
    resource_version: Box<str>,
    #[serde(default)]
    generation: Option<i64>,
    #[serde(default)]
    creation_timestamp: Option<Arc<str>>,
}

impl LoadedRule {
    /// Reads a rule from the cluster, and leaves it to be checked. One that can't be used is still known by its name, so that
    /// what it seems not to want is kept.
    pub fn parse(object: RawObject<'_>, set: SetName) -> Result<Self, UnexpectedShape> {
        let WithMetadata {
            metadata,
            spec,
            status,
        } = object.parse()?;
        let owner = owner(set, metadata.name);
        let created = metadata.creation_timestamp.unwrap_or_else(|| Arc::from(""));
        let source_namespaces = serde_json::from_value(spec["source"]["namespaces"].clone()).ok();
        let read = serde_json::from_value::<CopyratorRuleSpec>(spec)
            .map_err(|error| format!("spec: {error}"));
        let (rule, unchecked) = match read {
            Ok(spec) => {
                let rule = Self::compile(&owner, created, &spec);
                (rule, Some(CopyratorRule::new(&owner.name, spec)))
            }
            Err(problem) => (Err(problem), None),
        };
        let standing = Standing {
            uid: metadata.uid,
            resource_version: metadata.resource_version,
            generation: metadata.generation,
            // One that can't be read is written anew.
            status: serde_json::from_value(status).unwrap_or_default(),
        };
        Ok(Self {
            owner,
            rule,
            unchecked,
            source_namespaces,
            standing: Some(standing),
        })
    }

    /// Takes a rule from a file.
    pub fn from_file(rule: &CopyratorRule, set: SetName) -> Self {
        let name = rule.metadata.name.as_deref().unwrap_or_default();
        let owner = owner(set, name.into());
        Self {
            rule: Self::compile(&owner, "".into(), &rule.spec),
            owner,
            unchecked: None,
            source_namespaces: None,
            standing: None,
        }
    }

    /// Whether it asks for the same as another one, which it may differ from in its status.
    pub fn is_same(&self, other: &Self) -> bool {
        match (&self.standing, &other.standing) {
            (Some(one), Some(other)) => {
                one.uid == other.uid
                    && one.generation == other.generation
                    && one.generation.is_some()
            }
            _ => false,
        }
    }

    /// Whether the rule may copy from this namespace, for all that is known.
    pub fn may_copy_from(&self, namespace: Option<&Namespace>) -> bool {
        let known = self.source_namespaces.as_ref();
        known.is_none_or(|known| known.iter().any(|one| Some(one) == namespace))
    }

    fn compile(
        owner: &Owner,
        created: Arc<str>,
        spec: &CopyratorRuleSpec,
    ) -> Result<Arc<Rule>, String> {
        let rule = Rule::new(owner.clone(), created, spec);
        rule.map(Arc::new).map_err(|error| error.to_string())
    }
}
