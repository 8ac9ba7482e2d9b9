//! What is never copied, whatever a rule says.

use std::{collections::BTreeMap, fmt};

use crate::reconcile::{
    CONFIG_MAPS, CONTENT_ANNOTATION, MANAGED_BY, MANAGED_BY_LABEL, ObjectKey, SOURCE_ANNOTATION,
    TARGET_ANNOTATION,
};

/// Why an object is never copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Exclusion {
    /// It is a copy: copying copies never ends.
    Copy,
    /// A service account's token is worth nothing elsewhere, and would be deleted by the API server.
    ServiceAccountToken,
    /// A bootstrap token lets nodes join: it belongs to kube-system alone.
    BootstrapToken,
    /// Helm's record of a release: a second one would be a second release.
    HelmRelease,
    /// Kubernetes puts this ConfigMap into every namespace itself.
    RootCertificate,
}

impl fmt::Display for Exclusion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Copy => "it is a copy itself",
            Self::ServiceAccountToken => "it is a service account's token",
            Self::BootstrapToken => "it is a bootstrap token",
            Self::HelmRelease => "it is Helm's record of a release",
            Self::RootCertificate => "Kubernetes puts it into every namespace itself",
        })
    }
}

/// Why the object is never copied, if so.
pub fn exclusion(
    key: &ObjectKey,
    labels: &BTreeMap<String, String>,
    annotations: &BTreeMap<String, String>,
    r#type: Option<&str>,
) -> Option<Exclusion> {
    let marked = [SOURCE_ANNOTATION, TARGET_ANNOTATION, CONTENT_ANNOTATION];
    if labels
        .get(MANAGED_BY_LABEL)
        .is_some_and(|manager| manager == MANAGED_BY)
        || marked.iter().any(|mark| annotations.contains_key(*mark))
    {
        return Some(Exclusion::Copy);
    }
    if key.resource == &CONFIG_MAPS && key.name.as_str() == "kube-root-ca.crt" {
        return Some(Exclusion::RootCertificate);
    }
    match r#type? {
        "kubernetes.io/service-account-token" => Some(Exclusion::ServiceAccountToken),
        "bootstrap.kubernetes.io/token" => Some(Exclusion::BootstrapToken),
        other if other.starts_with("helm.sh/") => Some(Exclusion::HelmRelease),
        _ => None,
    }
}
