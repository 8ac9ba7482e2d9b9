//! All the objects of an installation.

use k8s_openapi::{
    Metadata,
    api::core::v1::{Namespace, ServiceAccount},
    apimachinery::pkg::apis::meta::v1::ObjectMeta,
};
use serde::Serialize;
use serde_json::Value;

use super::{
    Account, RoleSet, Running, Settings, controller, cron_job,
    resources::{SERVICE_ACCOUNTS, is_of_cluster},
};
use crate::reconcile::{NAMESPACES, Name, ObjectKey, Permissions, ResourceType};

/// One object of an installation.
#[derive(Clone, Debug, PartialEq)]
pub struct Installed {
    /// Which object of the cluster it is.
    pub key: ObjectKey,
    /// What it is to be like.
    pub manifest: Value,
}

impl Installed {
    /// An object of the API. What it leaves open isn't in the manifest: null would take a field away that
    /// somebody else has set.
    pub(super) fn new<T>(resource: &'static ResourceType, object: &T) -> Self
    where
        T: Metadata<Ty = ObjectMeta> + Serialize,
    {
        let metadata = object.metadata();
        debug_assert_eq!((T::GROUP, T::KIND), (resource.group, resource.kind));
        debug_assert_eq!(metadata.namespace.is_none(), is_of_cluster(resource));
        let name = metadata.name.as_deref().expect("each object has a name");
        Self {
            key: ObjectKey {
                namespace: metadata.namespace.as_deref().map(Into::into),
                resource,
                name: Name::from(name),
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
            objects.extend(controller::objects(settings, *controller));
        }
        Running::CronJobs(cron_jobs) => objects.extend(cron_job::objects(settings, cron_jobs)),
    }
    objects
}

/// The namespace that it runs in. It isn't labelled as ours, so that it is never removed: others may have
/// put something there.
fn namespace(settings: &Settings) -> Installed {
    let namespace = Namespace {
        metadata: ObjectMeta {
            name: Some(settings.identity.namespace.to_string()),
            ..ObjectMeta::default()
        },
        ..Namespace::default()
    };
    Installed::new(&NAMESPACES, &namespace)
}

fn service_account(settings: &Settings) -> Installed {
    let identity = &settings.identity;
    let account = ServiceAccount {
        metadata: identity.own_metadata(identity.name.as_str()),
        // The pods mount its token themselves; nothing else that runs as it gets one unasked.
        automount_service_account_token: Some(false),
        ..ServiceAccount::default()
    };
    Installed::new(&SERVICE_ACCOUNTS, &account)
}

#[cfg(test)]
#[path = "objects_tests.rs"]
mod tests;
