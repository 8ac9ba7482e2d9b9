//! Rights as the roles and bindings that grant them.

use std::collections::BTreeMap;

use k8s_openapi::api::rbac::v1::{
    ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding, RoleRef, Subject,
};

use super::{
    Identity, Installed,
    resources::{CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES, ROLE_BINDINGS, ROLES},
};
use crate::reconcile::{Name, Namespace, Permission, Permissions};

const GROUP: &str = "rbac.authorization.k8s.io";

/// A service account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Its namespace.
    pub namespace: Namespace,
    /// Its name.
    pub name: Name,
}

/// The roles that grant rights: one for the cluster, and one in each namespace that has rights of its own.
#[derive(Clone, Debug)]
pub struct RoleSet<'a> {
    /// What they are called.
    pub identity: &'a Identity,
    /// What they grant.
    pub permissions: &'a Permissions,
    /// Who gets it; nobody when none.
    pub account: Option<&'a Account>,
}

impl RoleSet<'_> {
    /// The roles, each with its binding.
    pub fn objects(&self) -> Vec<Installed> {
        let mut places: BTreeMap<Option<Namespace>, Vec<PolicyRule>> = BTreeMap::new();
        for permission in self.permissions.smallest() {
            let rule = policy(&permission);
            places.entry(permission.namespace).or_default().push(rule);
        }
        let each = places.into_iter().flat_map(|(place, rules)| match place {
            None => self.of_cluster(rules),
            Some(namespace) => self.of_namespace(&namespace, rules),
        });
        each.collect()
    }

    fn of_cluster(&self, rules: Vec<PolicyRule>) -> Vec<Installed> {
        let name = &self.identity.name;
        let metadata = self.identity.metadata(name.as_str());
        let role = ClusterRole {
            metadata: metadata.clone(),
            rules: Some(rules),
            aggregation_rule: None,
        };
        let binding = self.account.map(|account| ClusterRoleBinding {
            metadata,
            role_ref: role_ref("ClusterRole", name),
            subjects: Some(vec![subject(account)]),
        });
        let role = Installed::new(&CLUSTER_ROLES, &role);
        let binding = binding.map(|binding| Installed::new(&CLUSTER_ROLE_BINDINGS, &binding));
        [role].into_iter().chain(binding).collect()
    }

    fn of_namespace(&self, namespace: &Namespace, rules: Vec<PolicyRule>) -> Vec<Installed> {
        let name = &self.identity.name;
        let metadata = self.identity.metadata_in(namespace, name.as_str());
        let role = Role {
            metadata: metadata.clone(),
            rules: Some(rules),
        };
        let binding = self.account.map(|account| RoleBinding {
            metadata,
            role_ref: role_ref("Role", name),
            subjects: Some(vec![subject(account)]),
        });
        let role = Installed::new(&ROLES, &role);
        let binding = binding.map(|binding| Installed::new(&ROLE_BINDINGS, &binding));
        [role].into_iter().chain(binding).collect()
    }
}

fn policy(permission: &Permission) -> PolicyRule {
    let resource = match permission.subresource {
        Some(part) => format!("{}/{part}", permission.resource.plural),
        None => permission.resource.plural.to_owned(),
    };
    let names: Vec<_> = permission.names.iter().map(ToString::to_string).collect();
    PolicyRule {
        api_groups: Some(vec![permission.resource.group.to_owned()]),
        resources: Some(vec![resource]),
        resource_names: (!names.is_empty()).then_some(names),
        verbs: permission.verbs.iter().map(ToString::to_string).collect(),
        ..PolicyRule::default()
    }
}

fn role_ref(kind: &str, name: &Name) -> RoleRef {
    RoleRef {
        api_group: GROUP.to_owned(),
        kind: kind.to_owned(),
        name: name.to_string(),
    }
}

fn subject(account: &Account) -> Subject {
    Subject {
        kind: "ServiceAccount".to_owned(),
        name: account.name.to_string(),
        namespace: Some(account.namespace.to_string()),
        api_group: None,
    }
}
