//! Permissions that a run lacked: known before it wrote, or met when it did.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::permission::denied_user;
use crate::reconcile::{
    ApiError, Failure, MissingPermissions, Name, Namespace, ObjectKey, ResourceType, Verb,
};

/// What is missing in one place, with the objects that it was missing for.
pub type Lacks = BTreeMap<(&'static ResourceType, Verb), BTreeSet<Name>>;

/// Missing permissions, gathered.
#[derive(Debug, Default)]
pub struct Missing {
    user: Option<String>,
    places: BTreeMap<Option<Namespace>, Lacks>,
}

/// One entry of a report's `missingPermissions`.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct MissingEntry {
    verb: String,
    group: &'static str,
    resource: &'static str,
    namespaces: Vec<String>,
}

impl Missing {
    /// Gathers what was known before anything was written.
    pub fn foreseen(&mut self, missing: &MissingPermissions) {
        if let Some(user) = &missing.user {
            self.user = Some(user.to_string());
        }
        for (verb, key) in &missing.denied {
            self.lack(*verb, key);
        }
    }

    /// Gathers what a failure tells, if it is an RBAC denial: a quota or a webhook forbids in other words.
    pub fn met(&mut self, key: &ObjectKey, error: &ApiError) {
        let Failure::Forbidden(message) = &error.failure else {
            return;
        };
        if let Some(user) = denied_user(message) {
            self.user = Some(user.to_owned());
            self.lack(error.verb, key);
        }
    }

    fn lack(&mut self, verb: Verb, key: &ObjectKey) {
        let lacks = self.places.entry(key.namespace.clone()).or_default();
        let names = lacks.entry((key.resource, verb)).or_default();
        names.insert(key.name.clone());
    }

    /// The user's name, where the API server tells it.
    pub fn user(&self) -> Option<&str> {
        self.user.as_deref()
    }

    /// What is missing where; the place of a cluster-scoped object is none.
    pub fn places(&self) -> &BTreeMap<Option<Namespace>, Lacks> {
        &self.places
    }

    /// The entries of a report.
    pub fn entries(&self) -> Vec<MissingEntry> {
        let mut namespaces: BTreeMap<_, Vec<String>> = BTreeMap::new();
        for (namespace, lacks) in &self.places {
            for lack in lacks.keys() {
                let namespace = namespace.as_ref().map(ToString::to_string);
                namespaces.entry(lack).or_default().extend(namespace);
            }
        }
        let entry =
            |((resource, verb), namespaces): (&(&'static ResourceType, Verb), _)| MissingEntry {
                verb: verb.to_string(),
                group: resource.group,
                resource: resource.plural,
                namespaces,
            };
        namespaces.into_iter().map(entry).collect()
    }
}
