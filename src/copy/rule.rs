//! A rule, ready to be matched.

use std::{collections::BTreeMap, sync::Arc};

use super::{names::Globs, selector::Labels};
use crate::{
    api::{CopyratorRuleSpec, Resource, Source, Target},
    reconcile::{CONFIG_MAPS, Name, Namespace, ObjectKey, Owner, ResourceType, SECRETS},
};

/// A rule, ready to be matched.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Who owns the copies.
    pub owner: Owner,
    /// When the rule was made, as RFC 3339 in UTC; empty for a rule from a file.
    pub created: Arc<str>,
    /// The resource that it copies.
    pub resource: &'static ResourceType,
    /// Which originals it copies.
    pub source: SourceSelection,
    /// Which namespaces get copies.
    pub target: TargetSelection,
}

/// Why a rule can't be used.
#[derive(Debug, thiserror::Error)]
#[error("{field}: {cause}")]
pub struct RuleError {
    /// The field at fault.
    pub field: &'static str,
    /// What is wrong with it.
    #[source]
    pub cause: globset::Error,
}

/// Which originals a rule copies.
#[derive(Clone, Debug)]
pub struct SourceSelection {
    /// The namespaces of the originals; of two originals of one name the first namespace's wins.
    pub namespaces: Vec<Namespace>,
    /// Globs over their names; none allows all.
    pub names: Option<Globs>,
    /// A selector over their labels; none allows all.
    pub selector: Option<Labels>,
    /// The types of Secret; empty allows all.
    pub types: Vec<String>,
}

/// Which namespaces get copies.
#[derive(Clone, Debug)]
pub struct TargetSelection {
    namespaces: Option<Globs>,
    selector: Option<Labels>,
    exclude: Option<Globs>,
}

impl Rule {
    /// Compiles a rule.
    pub fn new(
        owner: Owner,
        created: Arc<str>,
        spec: &CopyratorRuleSpec,
    ) -> Result<Self, RuleError> {
        Ok(Self {
            owner,
            created,
            resource: resource(spec.resource),
            source: SourceSelection::new(&spec.source)?,
            target: TargetSelection::new(&spec.target)?,
        })
    }

    /// Whether the rule copies the original with this key, these labels and this type.
    pub fn selects(
        &self,
        key: &ObjectKey,
        labels: &BTreeMap<String, String>,
        r#type: Option<&str>,
    ) -> bool {
        key.resource == self.resource
            && key
                .namespace
                .as_ref()
                .is_some_and(|namespace| self.source.namespaces.contains(namespace))
            && self.source.selects_name(&key.name)
            && self
                .source
                .selector
                .as_ref()
                .is_none_or(|selector| selector.matches(labels))
            && self.source.selects_type(r#type)
    }
}

impl SourceSelection {
    fn new(source: &Source) -> Result<Self, RuleError> {
        let namespaces = source.namespaces.iter();
        Ok(Self {
            namespaces: namespaces
                .map(|name| Namespace::from(name.as_str()))
                .collect(),
            names: globs("spec.source.names", &source.names)?,
            selector: source.selector.as_ref().map(Labels::new),
            types: source.types.clone(),
        })
    }

    /// Whether an original of this name may be selected.
    pub fn selects_name(&self, name: &Name) -> bool {
        self.names
            .as_ref()
            .is_none_or(|names| names.matches(name.as_str()))
    }

    fn selects_type(&self, r#type: Option<&str>) -> bool {
        self.types.is_empty()
            || r#type.is_some_and(|r#type| self.types.iter().any(|one| one == r#type))
    }
}

impl TargetSelection {
    fn new(target: &Target) -> Result<Self, RuleError> {
        Ok(Self {
            namespaces: globs("spec.target.namespaces", &target.namespaces)?,
            selector: target.selector.as_ref().map(Labels::new),
            exclude: globs("spec.target.exclude", &target.exclude)?,
        })
    }

    /// Whether the namespace with this name and these labels gets copies.
    pub fn selects(&self, namespace: &str, labels: &BTreeMap<String, String>) -> bool {
        self.namespaces
            .as_ref()
            .is_none_or(|globs| globs.matches(namespace))
            && self
                .selector
                .as_ref()
                .is_none_or(|selector| selector.matches(labels))
            && !self
                .exclude
                .as_ref()
                .is_some_and(|globs| globs.matches(namespace))
    }
}

/// No globs at all is no condition.
fn globs(field: &'static str, patterns: &[String]) -> Result<Option<Globs>, RuleError> {
    if patterns.is_empty() {
        return Ok(None);
    }
    Globs::new(patterns)
        .map(Some)
        .map_err(|cause| RuleError { field, cause })
}

fn resource(resource: Resource) -> &'static ResourceType {
    match resource {
        Resource::Secret => &SECRETS,
        Resource::ConfigMap => &CONFIG_MAPS,
    }
}
