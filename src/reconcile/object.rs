//! How an object is named: its resource, its namespace and its name, and which version of it was seen.

use std::{
    cmp::Ordering,
    collections::HashSet,
    fmt,
    hash::{Hash, Hasher},
    sync::Arc,
};

use serde::{Deserialize, Deserializer, Serialize, de};

/// A resource of the Kubernetes API, as its URLs and messages spell it. Its group and plural tell it from others,
/// and are all that is compared: that happens several times for each of ten thousand objects.
#[derive(Debug)]
pub struct ResourceType {
    /// The API group; empty for the core group.
    pub group: &'static str,
    /// The API version within the group.
    pub version: &'static str,
    /// The kind, such as `ConfigMap`.
    pub kind: &'static str,
    /// The plural of the URLs, such as `configmaps`.
    pub plural: &'static str,
    /// The singular that kubectl prints, such as `configmap`.
    pub singular: &'static str,
}

impl PartialEq for ResourceType {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || (self.plural == other.plural && self.group == other.group)
    }
}

impl Eq for ResourceType {}

impl Hash for ResourceType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.plural.hash(state);
    }
}

impl PartialOrd for ResourceType {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ResourceType {
    fn cmp(&self, other: &Self) -> Ordering {
        if std::ptr::eq(self, other) {
            return Ordering::Equal;
        }
        (self.group, self.plural).cmp(&(other.group, other.plural))
    }
}

/// ConfigMaps.
pub static CONFIG_MAPS: ResourceType = ResourceType {
    group: "",
    version: "v1",
    kind: "ConfigMap",
    plural: "configmaps",
    singular: "configmap",
};

/// Secrets.
pub static SECRETS: ResourceType = ResourceType {
    group: "",
    version: "v1",
    kind: "Secret",
    plural: "secrets",
    singular: "secret",
};

/// Namespaces.
pub static NAMESPACES: ResourceType = ResourceType {
    group: "",
    version: "v1",
    kind: "Namespace",
    plural: "namespaces",
    singular: "namespace",
};

/// CustomResourceDefinitions.
pub static DEFINITIONS: ResourceType = ResourceType {
    group: "apiextensions.k8s.io",
    version: "v1",
    kind: "CustomResourceDefinition",
    plural: "customresourcedefinitions",
    singular: "customresourcedefinition",
};

/// Events.
pub static EVENTS: ResourceType = ResourceType {
    group: "events.k8s.io",
    version: "v1",
    kind: "Event",
    plural: "events",
    singular: "event",
};

/// Leases.
pub static LEASES: ResourceType = ResourceType {
    group: "coordination.k8s.io",
    version: "v1",
    kind: "Lease",
    plural: "leases",
    singular: "lease",
};

impl ResourceType {
    /// The definition of a custom resource.
    pub fn definition(&self) -> ObjectKey {
        ObjectKey {
            namespace: None,
            resource: &DEFINITIONS,
            name: Name::from(self.qualified_plural().as_str()),
        }
    }

    /// `apiVersion` as manifests write it: the version, after the group if there is one.
    pub fn api_version(&self) -> String {
        if self.group.is_empty() {
            self.version.to_owned()
        } else {
            format!("{}/{}", self.group, self.version)
        }
    }

    /// `plural.group`, or the plural alone in the core group, as error messages name a resource.
    pub fn qualified_plural(&self) -> String {
        self.qualify(self.plural)
    }

    /// `singular.group`, or the singular alone in the core group, as result lines name a resource.
    pub fn qualified_singular(&self) -> String {
        self.qualify(self.singular)
    }

    fn qualify(&self, word: &str) -> String {
        if self.group.is_empty() {
            word.to_owned()
        } else {
            format!("{word}.{}", self.group)
        }
    }
}

macro_rules! shared_text {
    ($(#[$documentation:meta])* $name:ident) => {
        $(#[$documentation])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The text itself.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl From<Arc<str>> for $name {
            fn from(text: Arc<str>) -> Self {
                Self(text)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.pad(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer).map(|text| Self(text.into())).map_err(de::Error::custom)
            }
        }
    };
}

shared_text! {
    /// The name of a namespace, as the API server gave it or a validated manifest wrote it.
    Namespace
}

shared_text! {
    /// The name of an object, as the API server gave it or a validated manifest wrote it.
    Name
}

/// Which object: unique in a cluster at any one time.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectKey {
    /// The namespace; none for a cluster-scoped object.
    pub namespace: Option<Namespace>,
    /// The resource.
    pub resource: &'static ResourceType,
    /// The name.
    pub name: Name,
}

impl ObjectKey {
    /// The key of an object in a namespace.
    pub fn namespaced(resource: &'static ResourceType, namespace: Namespace, name: Name) -> Self {
        Self {
            namespace: Some(namespace),
            resource,
            name,
        }
    }

    /// `namespace/name`, or the name alone without a namespace.
    pub fn path(&self) -> String {
        match &self.namespace {
            Some(namespace) => format!("{namespace}/{}", self.name),
            None => self.name.to_string(),
        }
    }
}

impl fmt::Display for ObjectKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{}/{}",
            self.resource.qualified_singular(),
            self.name
        )?;
        match &self.namespace {
            Some(namespace) => write!(formatter, " in namespace {namespace}"),
            None => Ok(()),
        }
    }
}

/// One state of one object: what a write is conditional on, so that it can't hit a newer state or
/// a successor of the same name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectVersion {
    /// The object's uid.
    pub uid: Box<str>,
    /// The object's resourceVersion: opaque, only ever compared for equality.
    pub resource_version: Box<str>,
}

/// Keeps one allocation for each distinct text: tens of thousands of copies share a few names.
#[derive(Debug, Default)]
pub struct Interner {
    texts: HashSet<Arc<str>>,
    /// How many texts were in use when that was looked at last.
    used: usize,
}

/// As long as there are no more texts than this, nobody looks whether they are still in use.
const FEW_TEXTS: usize = 1024;

impl Interner {
    /// The shared allocation of `text`.
    pub fn intern(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.texts.get(text) {
            return Arc::clone(known);
        }
        if self.texts.len() >= 2 * self.used.max(FEW_TEXTS) {
            self.forget_unused();
        }
        let shared: Arc<str> = text.into();
        self.texts.insert(Arc::clone(&shared));
        shared
    }

    /// Whoever runs for months sees many names that nothing has any more.
    fn forget_unused(&mut self) {
        self.texts.retain(|text| Arc::strong_count(text) > 1);
        self.texts.shrink_to_fit();
        self.used = self.texts.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_allocated_once_as_long_as_anybody_uses_it() {
        let mut interner = Interner::default();
        let used: Vec<_> = (0..10)
            .map(|number| interner.intern(&format!("used-{number}")))
            .collect();
        for number in 0..100 * FEW_TEXTS {
            interner.intern(&format!("unused-{number}"));
            assert!(interner.texts.len() <= 2 * FEW_TEXTS);
        }
        for (number, used) in used.iter().enumerate() {
            let again = interner.intern(&format!("used-{number}"));
            assert!(Arc::ptr_eq(used, &again));
        }
    }

    #[test]
    fn texts_in_use_are_not_looked_at_all_the_time() {
        let mut interner = Interner::default();
        let used: Vec<_> = (0..3 * FEW_TEXTS)
            .map(|number| interner.intern(&number.to_string()))
            .collect();
        assert_eq!(interner.texts.len(), used.len());
        assert_eq!(interner.used, 2 * FEW_TEXTS, "they were looked at once");
    }
}
