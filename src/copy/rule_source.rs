//! Where rules come from: the cluster, or files.

use std::{collections::BTreeSet, sync::Arc};

use serde::Deserialize;
use serde_json::Value;

use super::Rule;
use crate::{
    api::{CopyratorRule, CopyratorRuleSpec},
    reconcile::{Loaded, Owner, RawObject, ResourceType, SetName, UnexpectedShape},
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
    },
}

/// A rule as it was loaded, or why it can't be used.
pub struct LoadedRule {
    /// Who would own the copies.
    pub owner: Owner,
    /// The rule, or what is wrong with it.
    pub rule: Result<Rule, String>,
}

impl RuleSource {
    /// The set that the rules belong to.
    pub fn set(&self) -> SetName {
        match self {
            Self::Cluster { .. } => SetName::cluster(),
            Self::Files { .. } => SetName::files(),
        }
    }

    /// Which owners a run with these rules acts for.
    pub fn loaded(&self) -> Loaded {
        match self {
            Self::Cluster { names } if names.is_empty() => Loaded::WholeSet,
            Self::Cluster { names } => Loaded::Only(names.clone()),
            Self::Files { rules } => {
                let names = rules
                    .iter()
                    .filter_map(|rule| rule.metadata.name.as_deref());
                Loaded::Only(names.map(Arc::from).collect())
            }
        }
    }
}

#[derive(Deserialize)]
struct WithMetadata {
    metadata: Metadata,
    #[serde(default)]
    spec: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    name: Arc<str>,
    #[serde(default)]
    creation_timestamp: Option<Arc<str>>,
}

impl LoadedRule {
    /// Reads a rule from the cluster. One that can't be used is still known by its name, so that
    /// what it seems not to want is kept.
    pub fn parse(object: RawObject<'_>, set: SetName) -> Result<Self, UnexpectedShape> {
        let WithMetadata { metadata, spec } = object.parse()?;
        let owner = Owner {
            set,
            name: metadata.name,
        };
        let created = metadata.creation_timestamp.unwrap_or_else(|| Arc::from(""));
        let rule = serde_json::from_value::<CopyratorRuleSpec>(spec)
            .map_err(|error| format!("spec: {error}"))
            .and_then(|spec| Self::compile(&owner, created, &spec));
        Ok(Self { owner, rule })
    }

    /// Takes a rule from a file.
    pub fn from_file(rule: &CopyratorRule, set: SetName) -> Self {
        let owner = Owner {
            set,
            name: rule.metadata.name.as_deref().unwrap_or_default().into(),
        };
        Self {
            rule: Self::compile(&owner, "".into(), &rule.spec),
            owner,
        }
    }

    fn compile(owner: &Owner, created: Arc<str>, spec: &CopyratorRuleSpec) -> Result<Rule, String> {
        Rule::new(owner.clone(), created, spec).map_err(|error| error.to_string())
    }
}
