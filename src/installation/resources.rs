//! The resources that the objects of an installation are of.

use crate::reconcile::{NAMESPACES, ResourceType};

macro_rules! resources {
    ($($(#[$documentation:meta])* $name:ident: $group:literal $kind:literal $plural:literal $singular:literal;)*) => {
        $($(#[$documentation])*
        pub static $name: ResourceType = ResourceType {
            group: $group,
            version: "v1",
            kind: $kind,
            plural: $plural,
            singular: $singular,
        };)*
    };
}

resources! {
    /// ServiceAccounts.
    SERVICE_ACCOUNTS: "" "ServiceAccount" "serviceaccounts" "serviceaccount";
    /// Services.
    SERVICES: "" "Service" "services" "service";
    /// ClusterRoles.
    CLUSTER_ROLES: "rbac.authorization.k8s.io" "ClusterRole" "clusterroles" "clusterrole";
    /// ClusterRoleBindings.
    CLUSTER_ROLE_BINDINGS: "rbac.authorization.k8s.io" "ClusterRoleBinding" "clusterrolebindings" "clusterrolebinding";
    /// Roles.
    ROLES: "rbac.authorization.k8s.io" "Role" "roles" "role";
    /// RoleBindings.
    ROLE_BINDINGS: "rbac.authorization.k8s.io" "RoleBinding" "rolebindings" "rolebinding";
    /// Deployments.
    DEPLOYMENTS: "apps" "Deployment" "deployments" "deployment";
    /// CronJobs.
    CRON_JOBS: "batch" "CronJob" "cronjobs" "cronjob";
    /// PodDisruptionBudgets.
    DISRUPTION_BUDGETS: "policy" "PodDisruptionBudget" "poddisruptionbudgets" "poddisruptionbudget";
}

/// Where the objects of a resource are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// In the namespace that the installation runs in.
    OwnNamespace,
    /// In any namespace.
    AnyNamespace,
    /// In none.
    Cluster,
}

/// All the resources whose objects an installation removes: those that run something first, so that nothing
/// is left running without rights. The namespace stays, as others may have put something there, and so does
/// the Lease: a leader that is about to end would only make it anew, and the next one sees by it whether
/// that has happened.
pub fn made_of() -> [(&'static ResourceType, Reach); 9] {
    [
        (&DEPLOYMENTS, Reach::OwnNamespace),
        (&CRON_JOBS, Reach::OwnNamespace),
        (&DISRUPTION_BUDGETS, Reach::OwnNamespace),
        (&SERVICES, Reach::OwnNamespace),
        (&ROLE_BINDINGS, Reach::AnyNamespace),
        (&ROLES, Reach::AnyNamespace),
        (&CLUSTER_ROLE_BINDINGS, Reach::Cluster),
        (&CLUSTER_ROLES, Reach::Cluster),
        (&SERVICE_ACCOUNTS, Reach::OwnNamespace),
    ]
}

/// Whether objects of a resource are in no namespace.
pub(super) fn is_of_cluster(resource: &ResourceType) -> bool {
    [&CLUSTER_ROLES, &CLUSTER_ROLE_BINDINGS, &NAMESPACES].contains(&resource)
}
