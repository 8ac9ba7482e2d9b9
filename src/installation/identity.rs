//! What an installation is called, and the labels that tell its objects from all others.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, ObjectMeta};

use crate::reconcile::{MANAGED_BY, MANAGED_BY_LABEL, Name, Namespace};

/// The label with the namespace that an installation runs in: its roles are in others, too.
pub const INSTALLED_IN_LABEL: &str = "copyrator.dev/installed-in";

const NAME_LABEL: &str = "app.kubernetes.io/name";
const INSTANCE_LABEL: &str = "app.kubernetes.io/instance";
const COMPONENT_LABEL: &str = "app.kubernetes.io/component";

/// What pods of an installation are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// They work all the time, and tell how they are.
    Controller,
    /// Each does its work once.
    CronJob,
}

impl Component {
    const fn label(self) -> &'static str {
        match self {
            Self::Controller => "controller",
            Self::CronJob => "cronjob",
        }
    }
}

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

    /// The metadata of an object in the namespace that it runs in.
    pub(super) fn own_metadata(&self, name: &str) -> ObjectMeta {
        self.metadata_in(&self.namespace, name)
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
        let mut labels = self.common_labels();
        labels.insert(MANAGED_BY_LABEL.to_owned(), MANAGED_BY.to_owned());
        labels.insert(INSTALLED_IN_LABEL.to_owned(), self.namespace.to_string());
        labels
    }

    /// The labels of the pods of a component, which never change: a Deployment's selector can't.
    pub(super) fn pod_labels(&self, component: Component) -> BTreeMap<String, String> {
        let mut labels = self.common_labels();
        labels.insert(COMPONENT_LABEL.to_owned(), component.label().to_owned());
        labels
    }

    /// What selects the pods of a component, and none that another component of the same name has.
    pub(super) fn pod_selector(&self, component: Component) -> LabelSelector {
        LabelSelector {
            match_labels: Some(self.pod_labels(component)),
            match_expressions: None,
        }
    }

    fn common_labels(&self) -> BTreeMap<String, String> {
        let labels = [
            (NAME_LABEL, MANAGED_BY),
            (INSTANCE_LABEL, self.name.as_str()),
        ];
        let owned = |(key, value): (&str, &str)| (key.to_owned(), value.to_owned());
        labels.map(owned).into()
    }

    /// What selects all its objects, as the API's `labelSelector` parameter takes it.
    pub fn to_parameter(&self) -> String {
        let labels = self.labels();
        let terms = labels.iter().map(|(key, value)| format!("{key}={value}"));
        terms.collect::<Vec<_>>().join(",")
    }
}
