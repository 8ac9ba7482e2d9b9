//! Which labels and annotations of an original its copies take over.

use std::collections::BTreeMap;

use super::{
    globs::Globs,
    rule::{RuleError, globs},
};
use crate::{
    api::MetadataSelection,
    reconcile::{Carried, MANAGED_BY_LABEL},
};

/// Which labels and annotations of an original its copies take over.
#[derive(Clone, Debug)]
pub struct CarriedSelection {
    labels: Option<Globs>,
    annotations: Option<Globs>,
}

impl CarriedSelection {
    /// Compiles what a rule says.
    pub fn new(metadata: &MetadataSelection) -> Result<Self, RuleError> {
        Ok(Self {
            labels: globs("spec.metadata.labels", &metadata.labels)?,
            annotations: globs("spec.metadata.annotations", &metadata.annotations)?,
        })
    }

    /// What copies of an original with these labels and annotations take over. Without a glob that is
    /// nothing.
    pub fn apply(
        &self,
        labels: &BTreeMap<String, String>,
        annotations: &BTreeMap<String, String>,
    ) -> Carried {
        Carried {
            labels: select(self.labels.as_ref(), labels),
            annotations: select(self.annotations.as_ref(), annotations),
        }
    }
}

fn select(globs: Option<&Globs>, map: &BTreeMap<String, String>) -> BTreeMap<Box<str>, Box<str>> {
    let Some(globs) = globs else {
        return BTreeMap::new();
    };
    let selected = map
        .iter()
        .filter(|(key, _)| !is_bound_to_its_object(key) && globs.matches(key));
    selected
        .map(|(key, value)| (key.as_str().into(), value.as_str().into()))
        .collect()
}

/// Prefixes of keys that say something about one object alone: by them kubectl, Argo CD, Flux and other
/// replicators know what they manage. A copy that had them would be taken for one of theirs, and
/// changed or deleted.
const BOUND_PREFIXES: [&str; 15] = [
    "copyrator.dev/",
    "kubectl.kubernetes.io/",
    "applyset.kubernetes.io/",
    "argocd.argoproj.io/",
    "kustomize.toolkit.fluxcd.io/",
    "helm.toolkit.fluxcd.io/",
    "meta.helm.sh/",
    "helm.sh/",
    "kapp.k14s.io/",
    "objectset.rio.cattle.io/",
    "config.k8s.io/",
    "config.kubernetes.io/",
    "cli-utils.sigs.k8s.io/",
    "replicator.v1.mittwald.de/",
    "reflector.v1.k8s.emberstack.com/",
];

/// Keys of the same kind. Argo CD knows its objects by `app.kubernetes.io/instance` unless it is told
/// otherwise (<https://argo-cd.readthedocs.io/en/stable/user-guide/resource_tracking/>).
const BOUND_KEYS: [&str; 2] = [MANAGED_BY_LABEL, "app.kubernetes.io/instance"];

fn is_bound_to_its_object(key: &str) -> bool {
    BOUND_KEYS.contains(&key) || BOUND_PREFIXES.iter().any(|prefix| key.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn carried(globs: &[&str], labels: &[&str]) -> Vec<String> {
        let metadata = serde_json::from_value(json!({"labels": globs})).unwrap();
        let labels = labels.iter().map(|key| ((*key).to_owned(), "x".to_owned()));
        let selection = CarriedSelection::new(&metadata).unwrap();
        let carried = selection.apply(&labels.collect(), &BTreeMap::new());
        carried.labels.keys().map(ToString::to_string).collect()
    }

    #[test]
    fn only_what_is_named_is_taken_over() {
        assert!(carried(&[], &["a"]).is_empty());
        assert_eq!(
            carried(
                &["app.*", "team"],
                &["app.kubernetes.io/name", "team", "tier"]
            ),
            ["app.kubernetes.io/name", "team"]
        );
    }

    #[test]
    fn what_ties_an_object_to_its_tool_is_never_taken_over() {
        let tied = [
            "app.kubernetes.io/managed-by",
            "app.kubernetes.io/instance",
            "argocd.argoproj.io/instance",
            "kustomize.toolkit.fluxcd.io/name",
            "copyrator.dev/rule",
            "kubectl.kubernetes.io/last-applied-configuration",
        ];
        assert!(carried(&["*"], &tied).is_empty());
    }
}
