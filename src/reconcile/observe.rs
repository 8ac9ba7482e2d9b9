//! Reduces an object that was read to what the decision needs of it.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{
    ADOPTED_ANNOTATION, Actual, CARRIED_ANNOTATION, CONTENT_ANNOTATION, Content, ContentHash,
    Depth, Foreign, Interner, MANAGED_BY, MANAGED_BY_LABEL, Marks, Name, Namespace, ObjectKey,
    ObjectVersion, Observed, ObservedCarried, Owner, PRUNE_ANNOTATION, PresentMaps, PrunePolicy,
    RawObject, ResourceType, SET_LABEL, SOURCE_ANNOTATION, SetName, TARGET_ANNOTATION,
    UnexpectedShape,
    managed_fields::{self, ManagedFieldsEntry},
    target_mark,
};

#[derive(Deserialize)]
struct WithMetadata {
    metadata: Metadata,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    name: String,
    namespace: Option<String>,
    uid: Box<str>,
    resource_version: Box<str>,
    labels: Option<BTreeMap<String, String>>,
    annotations: Option<BTreeMap<String, String>>,
    deletion_timestamp: Option<serde::de::IgnoredAny>,
    #[serde(default)]
    managed_fields: Vec<ManagedFieldsEntry>,
}

#[derive(Deserialize)]
struct Immutability {
    immutable: Option<bool>,
}

/// Reduces objects of one domain.
pub struct Observer {
    owner_label: &'static str,
    interner: Interner,
}

impl Observer {
    /// Reduces objects whose owner is named by this label.
    pub fn new(owner_label: &'static str) -> Self {
        Self {
            owner_label,
            interner: Interner::default(),
        }
    }

    /// Reduces one object; `depth` says how much of it was read.
    pub fn observe(
        &mut self,
        resource: &'static ResourceType,
        object: RawObject<'_>,
        depth: Depth,
    ) -> Result<Observed, UnexpectedShape> {
        let WithMetadata { metadata } = object.parse()?;
        let actual = match depth {
            Depth::Metadata => None,
            Depth::Full => Some(self.actual(object)?),
        };
        Ok(self.reduce(resource, metadata, actual))
    }

    fn actual(&mut self, object: RawObject<'_>) -> Result<Actual, UnexpectedShape> {
        let content: Content = object.parse()?;
        let Immutability { immutable } = object.parse()?;
        Ok(Actual {
            hash: content.hash(),
            r#type: content
                .r#type
                .as_deref()
                .map(|r#type| self.interner.intern(r#type)),
            immutable: immutable.unwrap_or(false),
        })
    }

    fn reduce(
        &mut self,
        resource: &'static ResourceType,
        metadata: Metadata,
        actual: Option<Actual>,
    ) -> Observed {
        let key = self.key(resource, &metadata);
        let marks = self.marks(&metadata, &key);
        let foreign = (!marks.are_ours()).then(|| foreign(&metadata));
        Observed {
            key,
            foreign: foreign.map(Box::new),
            carried: carried(&metadata),
            marks,
            provenance: managed_fields::provenance(&metadata.managed_fields),
            actual,
            present: PresentMaps {
                labels: metadata.labels.is_some(),
                annotations: metadata.annotations.is_some(),
            },
            deleting: metadata.deletion_timestamp.is_some(),
            version: ObjectVersion {
                uid: metadata.uid,
                resource_version: metadata.resource_version,
            },
        }
    }

    fn key(&mut self, resource: &'static ResourceType, metadata: &Metadata) -> ObjectKey {
        let namespace = metadata
            .namespace
            .as_deref()
            .map(|name| self.interner.intern(name));
        ObjectKey {
            namespace: namespace.map(Namespace::from),
            resource,
            name: Name::from(self.interner.intern(&metadata.name)),
        }
    }

    fn marks(&mut self, metadata: &Metadata, key: &ObjectKey) -> Marks {
        let label = |name: &str| metadata.labels.as_ref()?.get(name).map(String::as_str);
        let annotation = |name: &str| metadata.annotations.as_ref()?.get(name).map(String::as_str);
        let owner = match (label(SET_LABEL), label(self.owner_label)) {
            (Some(set), Some(name)) => Some(Owner {
                set: SetName::from(self.interner.intern(set)),
                name: self.interner.intern(name),
            }),
            _ => None,
        };
        Marks {
            managed: label(MANAGED_BY_LABEL) == Some(MANAGED_BY),
            owner,
            source: annotation(SOURCE_ANNOTATION).map(|source| self.interner.intern(source)),
            on_its_target: annotation(TARGET_ANNOTATION) == Some(&target_mark(key)),
            content: annotation(CONTENT_ANNOTATION).and_then(ContentHash::parse),
            prune: annotation(PRUNE_ANNOTATION).and_then(PrunePolicy::parse),
            adopted: annotation(ADOPTED_ANNOTATION).map(Into::into),
        }
    }
}

fn foreign(metadata: &Metadata) -> Foreign {
    let label = metadata
        .labels
        .as_ref()
        .and_then(|labels| labels.get(MANAGED_BY_LABEL));
    Foreign {
        managers: managed_fields::managers(&metadata.managed_fields),
        managed_by: label
            .filter(|value| *value != MANAGED_BY)
            .map(|value| value.as_str().into()),
    }
}

fn carried(metadata: &Metadata) -> Option<Box<ObservedCarried>> {
    let annotations = metadata.annotations.as_ref();
    let mark = annotations?.get(CARRIED_ANNOTATION)?;
    let carried = ObservedCarried::new(mark, metadata.labels.as_ref(), annotations);
    Some(Box::new(carried))
}
