//! What is never copied, whatever a rule says.

use std::{collections::BTreeMap, fmt};

use crate::reconcile::{
    CONFIG_MAPS, CONTENT_ANNOTATION, MANAGED_BY, MANAGED_BY_LABEL, OWNER_ANNOTATION, ObjectKey,
    SOURCE_ANNOTATION, TARGET_ANNOTATION,
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
    if is_copy(labels, annotations) {
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

/// What we made in a namespace for an owner of its own, such as the rates of an `ExchangeRate`, is an
/// original: only rules copy, and their owners' marks have no namespace.
fn is_copy(labels: &BTreeMap<String, String>, annotations: &BTreeMap<String, String>) -> bool {
    let mark = annotations.get(OWNER_ANNOTATION);
    if mark.is_some_and(|mark| mark.matches('/').count() == 2) {
        return false;
    }
    let marked = [SOURCE_ANNOTATION, TARGET_ANNOTATION, CONTENT_ANNOTATION];
    let manager = labels.get(MANAGED_BY_LABEL);
    manager.is_some_and(|manager| manager == MANAGED_BY)
        || marked.iter().any(|mark| annotations.contains_key(*mark))
}
