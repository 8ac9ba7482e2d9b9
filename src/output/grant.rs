//! The manifests that grant what was missing, and nothing else.

use std::collections::BTreeMap;

use k8s_openapi::{
    api::rbac::v1::{
        ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding, RoleRef, Subject,
    },
    apimachinery::pkg::apis::meta::v1::ObjectMeta,
};
use serde::Serialize;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::missing::{Lacks, Missing};
use crate::reconcile::{Name, Namespace, ResourceType, Verb};

/// Up to so many objects are named in a rule; for more of them the rule is for all of the resource.
const MOST_NAMES: usize = 10;

const GROUP: &str = "rbac.authorization.k8s.io";

/// One object of a grant.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Manifest {
    /// Rights in one namespace.
    Role(Role),
    /// Rights that are bound in several namespaces, or for the cluster.
    ClusterRole(ClusterRole),
    /// Gives the rights in one namespace.
    RoleBinding(RoleBinding),
    /// Gives the rights for the cluster.
    ClusterRoleBinding(ClusterRoleBinding),
}

/// Rights of the same kind, and all the places where they are missing.
#[derive(Debug)]
pub struct Grant {
    user: Option<String>,
    rules: Vec<Rule>,
    places: Vec<Option<Namespace>>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rule {
    resource: &'static ResourceType,
    /// Empty where the rule is for all objects.
    names: Vec<Name>,
    verbs: Vec<Verb>,
}

/// What must be granted: places that lack the same are together.
pub fn grants(missing: &Missing) -> Vec<Grant> {
    let mut alike: BTreeMap<Vec<Rule>, Vec<Option<Namespace>>> = BTreeMap::new();
    for (place, lacks) in missing.places() {
        alike.entry(rules(lacks)).or_default().push(place.clone());
    }
    let grant = |(rules, places)| Grant {
        user: missing.user().map(str::to_owned),
        rules,
        places,
    };
    alike.into_iter().map(grant).collect()
}

/// Rules for what is missing in one place: one for all verbs that concern the same objects.
fn rules(lacks: &Lacks) -> Vec<Rule> {
    let mut verbs: BTreeMap<_, Vec<Verb>> = BTreeMap::new();
    for ((resource, verb), names) in lacks {
        // A creation and a list tell no names, so no rule may ask for them.
        let nameless =
            matches!(verb, Verb::Create | Verb::List | Verb::Watch) || names.len() > MOST_NAMES;
        let names = if nameless {
            Vec::new()
        } else {
            names.iter().cloned().collect()
        };
        verbs.entry((*resource, names)).or_default().push(*verb);
    }
    let rule = |((resource, names), verbs)| Rule {
        resource,
        names,
        verbs,
    };
    verbs.into_iter().map(rule).collect()
}

impl Grant {
    /// In how many places something is missing.
    pub fn places(&self) -> usize {
        self.places.len()
    }

    /// The manifests, with bindings in at most `limit` places. Without a user's name there are no
    /// bindings: a made-up one could belong to somebody else one day.
    pub fn manifests(&self, limit: usize) -> Vec<Manifest> {
        let bindings = self.places.iter().take(limit);
        let bindings = bindings.filter_map(|place| self.binding(place.as_ref()));
        [self.role()].into_iter().chain(bindings).collect()
    }

    /// Whoever rules a single namespace can make a role there, but no cluster role.
    fn role_place(&self) -> Option<&Namespace> {
        match self.places.as_slice() {
            [Some(only)] => Some(only),
            _ => None,
        }
    }

    fn role(&self) -> Manifest {
        let rules = Some(self.rules.iter().map(Rule::policy).collect());
        let metadata = self.metadata(self.role_place());
        match self.role_place() {
            Some(_) => Manifest::Role(Role { metadata, rules }),
            None => Manifest::ClusterRole(ClusterRole {
                metadata,
                rules,
                aggregation_rule: None,
            }),
        }
    }

    fn binding(&self, place: Option<&Namespace>) -> Option<Manifest> {
        let subjects = Some(vec![subject(self.user.as_deref()?)]);
        let metadata = self.metadata(place);
        let role_ref = RoleRef {
            api_group: GROUP.to_owned(),
            kind: self.kind().to_owned(),
            name: self.name(),
        };
        Some(match place {
            Some(_) => Manifest::RoleBinding(RoleBinding {
                metadata,
                role_ref,
                subjects,
            }),
            None => Manifest::ClusterRoleBinding(ClusterRoleBinding {
                metadata,
                role_ref,
                subjects,
            }),
        })
    }

    fn kind(&self) -> &'static str {
        match self.role_place() {
            Some(_) => "Role",
            None => "ClusterRole",
        }
    }

    fn metadata(&self, place: Option<&Namespace>) -> ObjectMeta {
        ObjectMeta {
            name: Some(self.name()),
            namespace: place.map(ToString::to_string),
            ..ObjectMeta::default()
        }
    }

    /// The rights in words, and a hash of everything that tells grants apart: applying one never
    /// changes another one, for other rights or another user.
    fn name(&self) -> String {
        let rules: Vec<_> = self.rules.iter().map(Rule::policy).collect();
        let identity = json!([self.kind(), self.user, rules]).to_string();
        let mut words = vec!["copyrator".to_owned()];
        for rule in &self.rules {
            words.extend(rule.verbs.iter().map(ToString::to_string));
            words.push(rule.resource.plural.to_owned());
        }
        words.push(short_hash(&identity));
        words.join("-")
    }
}

impl Rule {
    fn policy(&self) -> PolicyRule {
        let names: Vec<_> = self.names.iter().map(ToString::to_string).collect();
        PolicyRule {
            api_groups: Some(vec![self.resource.group.to_owned()]),
            resources: Some(vec![self.resource.plural.to_owned()]),
            resource_names: (!names.is_empty()).then_some(names),
            verbs: self.verbs.iter().map(ToString::to_string).collect(),
            ..PolicyRule::default()
        }
    }
}

fn short_hash(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    let [a, b, c, d, ..] = *hash else {
        unreachable!("a SHA-256 has 32 bytes")
    };
    format!("{:08x}", u32::from_be_bytes([a, b, c, d]))
}

/// A service account's user name has its namespace and name in it.
fn subject(user: &str) -> Subject {
    let account = user.strip_prefix("system:serviceaccount:");
    match account.and_then(|account| account.split_once(':')) {
        Some((namespace, name)) => Subject {
            kind: "ServiceAccount".to_owned(),
            name: name.to_owned(),
            namespace: Some(namespace.to_owned()),
            api_group: None,
        },
        None => Subject {
            kind: "User".to_owned(),
            name: user.to_owned(),
            namespace: None,
            api_group: Some(GROUP.to_owned()),
        },
    }
}

#[cfg(test)]
#[path = "grant_tests.rs"]
mod tests;
