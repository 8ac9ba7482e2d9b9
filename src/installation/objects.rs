//! All the objects of an installation.

use k8s_openapi::{
    api::core::v1::{Namespace as NamespaceObject, ServiceAccount},
    apimachinery::pkg::apis::meta::v1::ObjectMeta,
};
use serde::Serialize;
use serde_json::Value;

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
            manifest: serde_json::to_value(object).expect("an object of the API is JSON"),
        }
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
    let object = NamespaceObject {
        metadata: ObjectMeta {
            name: Some(name.to_string()),
            ..ObjectMeta::default()
        },
        ..NamespaceObject::default()
    };
    Installed::new(&NAMESPACES, None, Name::from(name.as_str()), &object)
}

fn service_account(settings: &Settings) -> Installed {
    let identity = &settings.identity;
    let object = ServiceAccount {
        metadata: identity.metadata_in(&identity.namespace, identity.name.as_str()),
        // The pods mount its token themselves; nothing else that runs as it gets one unasked.
        automount_service_account_token: Some(false),
        ..ServiceAccount::default()
    };
    let namespace = Some(identity.namespace.clone());
    Installed::new(&SERVICE_ACCOUNTS, namespace, identity.name.clone(), &object)
}

#[cfg(test)]
#[path = "objects_tests.rs"]
mod tests;
