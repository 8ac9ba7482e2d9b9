//! A rule, ready to be matched.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    copy_name::NameTemplate, globs::Globs, keys::KeySelection, metadata::CarriedSelection,
    selector::Labels,
};
use crate::{
    api::{self, CopyratorRuleSpec, LabelSelector, Resource, Source, Target},
    reconcile::{
        CONFIG_MAPS, ConflictPolicy, Name, Namespace, ObjectKey, Owner, Policies, PrunePolicy,
        ResourceType, SECRETS,
    },
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
    /// What the copies are called.
    pub name: NameTemplate,
    /// Which keys they have.
    pub keys: KeySelection,
    /// Which labels and annotations they take over.
    pub carried: CarriedSelection,
    /// What happens at their beginning and end.
    pub policies: Policies,
    /// Whether the rule rests.
    pub suspended: bool,
}

/// Why a rule can't be used. The API server and `-f` refuse such rules; an older definition of the
/// resource may have let one in.
#[derive(Debug, thiserror::Error)]
pub enum RuleError {
    /// A glob isn't one.
    #[error("{field}: {cause}")]
    Glob {
        /// The field with the globs.
        field: &'static str,
        /// What is wrong.
        #[source]
        cause: globset::Error,
    },
    /// A selection without any condition, which would select everything.
    #[error("{field}: it would select everything; say what is meant")]
    Everything {
        /// The field with the selection.
        field: &'static str,
    },
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
            name: NameTemplate::new(&spec.target.name),
            keys: KeySelection::new(&spec.data)?,
            carried: CarriedSelection::new(&spec.metadata)?,
            policies: policies(spec),
            suspended: spec.suspend,
        })
    }

    /// Whether the rule copies the original with this key if its labels and its type are right.
    pub fn may_select(&self, key: &ObjectKey) -> bool {
        let namespace = key.namespace.as_ref();
        key.resource == self.resource
            && namespace.is_some_and(|namespace| self.source.namespaces.contains(namespace))
            && self.source.selects_name(&key.name)
    }

    /// Whether the rule copies the original with this key, these labels and this type.
    pub fn selects(
        &self,
        key: &ObjectKey,
        labels: &BTreeMap<String, String>,
        r#type: Option<&str>,
    ) -> bool {
        self.may_select(key)
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
        if source.names.is_empty() && source.selector.is_none() {
            return Err(RuleError::Everything {
                field: "spec.source",
            });
        }
        let namespaces = source.namespaces.iter();
        Ok(Self {
            namespaces: namespaces
                .map(|name| Namespace::from(name.as_str()))
                .collect(),
            names: globs("spec.source.names", &source.names)?,
            selector: labels("spec.source.selector", source.selector.as_ref())?,
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
        if target.namespaces.is_empty() && target.selector.is_none() {
            return Err(RuleError::Everything {
                field: "spec.target",
            });
        }
        Ok(Self {
            namespaces: globs("spec.target.namespaces", &target.namespaces)?,
            selector: labels("spec.target.selector", target.selector.as_ref())?,
            exclude: globs("spec.target.exclude", &target.exclude)?,
        })
    }

    /// The keys of the labels that matter.
    pub fn label_keys(&self) -> impl Iterator<Item = &str> {
        self.selector.iter().flat_map(Labels::keys)
    }

    /// Whether the label with this key matters.
    pub fn selects_by(&self, key: &str) -> bool {
        let selector = self.selector.as_ref();
        selector.is_some_and(|selector| selector.has_key(key))
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

fn policies(spec: &CopyratorRuleSpec) -> Policies {
    Policies {
        conflict: match spec.conflict_policy {
            api::ConflictPolicy::Skip => ConflictPolicy::Skip,
            api::ConflictPolicy::Adopt => ConflictPolicy::Adopt,
            api::ConflictPolicy::Overwrite => ConflictPolicy::Overwrite,
        },
        prune: match spec.prune_policy {
            api::PrunePolicy::Delete => PrunePolicy::Delete,
            api::PrunePolicy::Orphan => PrunePolicy::Orphan,
        },
    }
}

/// No globs at all is no condition.
pub(super) fn globs(field: &'static str, patterns: &[String]) -> Result<Option<Globs>, RuleError> {
    if patterns.is_empty() {
        return Ok(None);
    }
    Globs::new(patterns)
        .map(Some)
        .map_err(|cause| RuleError::Glob { field, cause })
}

fn labels(
    field: &'static str,
    selector: Option<&LabelSelector>,
) -> Result<Option<Labels>, RuleError> {
    selector
        .map(|selector| Labels::new(selector).ok_or(RuleError::Everything { field }))
        .transpose()
}

fn resource(resource: Resource) -> &'static ResourceType {
    match resource {
        Resource::Secret => &SECRETS,
        Resource::ConfigMap => &CONFIG_MAPS,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{copy::rule_source::owner, reconcile::SetName};

    fn refusal(source: &serde_json::Value, target: &serde_json::Value) -> Option<String> {
        let spec = json!({"resource": "Secret", "source": source, "target": target});
        let owner = owner(SetName::cluster(), "rule".into());
        let rule = Rule::new(owner, "".into(), &serde_json::from_value(spec).unwrap());
        rule.err().map(|error| error.to_string())
    }

    #[test]
    fn what_would_select_everything_is_refused() {
        let (source, target) = (
            json!({"namespaces": ["a"], "names": ["b"]}),
            json!({"namespaces": ["*"]}),
        );
        assert_eq!(refusal(&source, &target), None);
        for bad in [
            json!({"namespaces": ["a"]}),
            json!({"namespaces": ["a"], "selector": {}}),
        ] {
            assert!(
                refusal(&bad, &target).unwrap().starts_with("spec.source"),
                "{bad}"
            );
        }
        for bad in [
            json!({}),
            json!({"exclude": ["a"]}),
            json!({"namespaces": ["*"], "selector": {}}),
        ] {
            assert!(
                refusal(&source, &bad).unwrap().starts_with("spec.target"),
                "{bad}"
            );
        }
    }

    #[test]
    fn a_glob_that_is_none_is_refused() {
        let bad = json!({"namespaces": ["["]});
        let good = json!({"namespaces": ["a"], "names": ["b"]});
        assert!(
            refusal(&good, &bad)
                .unwrap()
                .starts_with("spec.target.namespaces: ")
        );
    }
}
