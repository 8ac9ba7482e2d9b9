//! All the objects of an installation.

use serde::Serialize;
use serde_json::{Value, json};

use super::{
    Account, RoleSet, Running, Settings, cron_job, deployment,
    resources::{SERVICE_ACCOUNTS, is_of_cluster},
};
use crate::reconcile::{NAMESPACES, Name, Namespace, ObjectKey, Permissions, ResourceType};

/// One object of an installation.
#[derive(Clone, Debug, PartialEq)]
pub struct Installed {
    /// Which object of the cluster it is.
    pub key: ObjectKey,
    /// What it is to be like.
    pub manifest: Value,
}

impl Installed {
    pub(super) fn new(
        resource: &'static ResourceType,
        namespace: Option<Namespace>,
        name: Name,
        object: &impl Serialize,
    ) -> Self {
        debug_assert_eq!(namespace.is_none(), is_of_cluster(resource));
        Self {
            key: ObjectKey {
                namespace,
                resource,
                name,
            },
            manifest: said(serde_json::to_value(object).expect("an object of the API is JSON")),
        }
    }
}

/// A manifest without what it leaves open: null would take a field away that somebody else has set.
fn said(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(name, value)| (name, said(value)));
            fields.filter(|(_, value)| !value.is_null()).collect()
        }
        Value::Array(items) => items.into_iter().map(said).collect(),
        other => other,
    }
}

/// The objects of an installation with these rights, each after those that it needs.
pub fn objects(settings: &Settings, permissions: &Permissions) -> Vec<Installed> {
    let identity = &settings.identity;
    let account = Account {
        namespace: identity.namespace.clone(),
        name: identity.name.clone(),
    };
    let roles = RoleSet {
        identity,
        permissions,
        account: Some(&account),
    };
    let mut objects = vec![namespace(settings), service_account(settings)];
    objects.extend(roles.objects());
    match &settings.running {
        Running::Controller(controller) => {
            objects.extend(deployment::objects(settings, *controller));
        }
        Running::CronJobs(cron_jobs) => objects.extend(cron_job::objects(settings, cron_jobs)),
    }
    objects
}

/// The namespace that it runs in. It isn't labelled as ours, so that it is never removed: others may have
/// put something there.
fn namespace(settings: &Settings) -> Installed {
    let name = &settings.identity.namespace;
    let manifest = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}});
    Installed::new(&NAMESPACES, None, Name::from(name.as_str()), &manifest)
}

fn service_account(settings: &Settings) -> Installed {
    let identity = &settings.identity;
    let manifest = json!({
        "apiVersion": "v1",
        "kind": "ServiceAccount",
        "metadata": identity.metadata_in(&identity.namespace, identity.name.as_str()),
        // The pods mount its token themselves; nothing else that runs as it gets one unasked.
        "automountServiceAccountToken": false,
    });
    let namespace = Some(identity.namespace.clone());
    Installed::new(
        &SERVICE_ACCOUNTS,
        namespace,
        identity.name.clone(),
        &manifest,
    )
}

#[cfg(test)]
#[path = "objects_tests.rs"]
mod tests;
