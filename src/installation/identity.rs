//! What an installation is called, and the labels that tell its objects from all others.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde_json::{Value, json};

use super::Installed;
use crate::reconcile::{MANAGED_BY, MANAGED_BY_LABEL, Name, Namespace, ResourceType};

/// The label with the namespace that an installation runs in: its roles are in others, too.
pub const INSTALLED_IN_LABEL: &str = "copyrator.dev/installed-in";

const NAME_LABEL: &str = "app.kubernetes.io/name";
const INSTANCE_LABEL: &str = "app.kubernetes.io/instance";

/// What an installation is called, and where it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The name of its objects.
    pub name: Name,
    /// The namespace that it runs in.
    pub namespace: Namespace,
}

impl Identity {
    /// The metadata of an object of the cluster.
    pub(super) fn metadata(&self, name: &str) -> ObjectMeta {
        ObjectMeta {
            name: Some(name.to_owned()),
            labels: Some(self.labels()),
            ..ObjectMeta::default()
        }
    }

    /// The metadata of an object in a namespace.
    pub(super) fn metadata_in(&self, namespace: &Namespace, name: &str) -> ObjectMeta {
        ObjectMeta {
            namespace: Some(namespace.to_string()),
            ..self.metadata(name)
        }
    }

    /// The labels of each of its objects.
    pub(super) fn labels(&self) -> BTreeMap<String, String> {
        let mut labels = self.selection();
        labels.insert(MANAGED_BY_LABEL.to_owned(), MANAGED_BY.to_owned());
        labels.insert(INSTALLED_IN_LABEL.to_owned(), self.namespace.to_string());
        labels
    }

    /// The labels of its pods, which never change: a Deployment's selector can't.
    pub(super) fn selection(&self) -> BTreeMap<String, String> {
        let labels = [
            (NAME_LABEL, MANAGED_BY),
            (INSTANCE_LABEL, self.name.as_str()),
        ];
        let owned = |(key, value): (&str, &str)| (key.to_owned(), value.to_owned());
        labels.map(owned).into()
    }

    /// An object in the namespace that it runs in, with this spec.
    pub(super) fn workload(
        &self,
        resource: &'static ResourceType,
        name: &str,
        spec: &Value,
    ) -> Installed {
        let manifest = json!({
            "apiVersion": resource.api_version(),
            "kind": resource.kind,
            "metadata": self.metadata_in(&self.namespace, name),
            "spec": spec,
        });
        Installed::new(
            resource,
            Some(self.namespace.clone()),
            name.into(),
            &manifest,
        )
    }

    /// What selects all its objects, as the API's `labelSelector` parameter takes it.
    pub fn to_parameter(&self) -> String {
        let labels = self.labels();
        let terms = labels.iter().map(|(key, value)| format!("{key}={value}"));
        terms.collect::<Vec<_>>().join(",")
    }
}
