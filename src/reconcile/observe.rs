//! Reduces an object that was read to what the decision needs of it.

use serde::Deserialize;

use super::{
    ADOPTED_ANNOTATION, Actual, CARRIED_ANNOTATION, CONTENT_ANNOTATION, Content, ContentHash,
    Depth, Foreign, Interner, MANAGED_BY, MANAGED_BY_LABEL, Marks, Name, Namespace,
    OWNER_ANNOTATION, ObjectKey, ObjectVersion, Observed, ObservedCarried, ObservedReferences,
    Owner, OwnerKind, PRUNE_ANNOTATION, PresentMaps, PrunePolicy, RawObject, ResourceType,
    SET_LABEL, SOURCE_ANNOTATION, SetName, TARGET_ANNOTATION, UnexpectedShape,
    borrowed::{Text, Texts},
    managed_fields::{FieldsReader, ManagedFieldsEntry, are_ours_alone},
    owner_reference::ReferenceEntry,
    target_mark,
};

#[derive(Deserialize)]
struct WithMetadata<'a> {
    #[serde(borrow)]
    metadata: Metadata<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata<'a> {
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    namespace: Option<Text<'a>>,
    uid: Box<str>,
    resource_version: Box<str>,
    #[serde(borrow)]
    labels: Option<Texts<'a>>,
    #[serde(borrow)]
    annotations: Option<Texts<'a>>,
    deletion_timestamp: Option<serde::de::IgnoredAny>,
    #[serde(borrow, default)]
    owner_references: Vec<ReferenceEntry<'a>>,
    #[serde(borrow, default)]
    managed_fields: Vec<ManagedFieldsEntry<'a>>,
}

#[derive(Deserialize)]
struct Immutability {
    immutable: Option<bool>,
}

/// An owner's set, its namespace if it has one, and its name.
type OwnerParts<'a> = (&'a str, Option<&'a str>, &'a str);

/// Reduces objects of one domain.
pub struct Observer {
    owner_kind: &'static OwnerKind,
    interner: Interner,
    fields: FieldsReader,
}

impl Observer {
    /// Reduces objects of owners of this kind.
    pub fn new(owner_kind: &'static OwnerKind) -> Self {
        Self {
            owner_kind,
            interner: Interner::default(),
            fields: FieldsReader::default(),
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
        metadata: Metadata<'_>,
        actual: Option<Actual>,
    ) -> Observed {
        let key = self.key(resource, &metadata);
        let marks = self.marks(&metadata, &key);
        let foreign = (!marks.are_ours()).then(|| self.foreign(&metadata));
        Observed {
            key,
            foreign: foreign.map(Box::new),
            carried: carried(&metadata),
            marks,
            provenance: self.fields.provenance(&metadata.managed_fields),
            is_ours_alone: are_ours_alone(&metadata.managed_fields),
            actual,
            present: PresentMaps {
                labels: metadata.labels.is_some(),
                annotations: metadata.annotations.is_some(),
            },
            owner_references: ObservedReferences::new(&metadata.owner_references),
            deleting: metadata.deletion_timestamp.is_some(),
            version: ObjectVersion {
                uid: metadata.uid,
                resource_version: metadata.resource_version,
            },
        }
    }

    fn foreign(&mut self, metadata: &Metadata<'_>) -> Foreign {
        let labels = metadata.labels.as_ref();
        let managed_by = labels.and_then(|labels| labels.get(MANAGED_BY_LABEL));
        Foreign {
            managers: self.fields.managers(&metadata.managed_fields),
            managed_by: managed_by
                .filter(|value| *value != MANAGED_BY)
                .map(Into::into),
        }
    }

    fn key(&mut self, resource: &'static ResourceType, metadata: &Metadata<'_>) -> ObjectKey {
        let namespace = metadata
            .namespace
            .as_ref()
            .map(|name| self.interner.intern(name.as_str()));
        ObjectKey {
            namespace: namespace.map(Namespace::from),
            resource,
            name: Name::from(self.interner.intern(metadata.name.as_str())),
        }
    }

    /// An owner with a namespace is in that of its objects.
    fn namespace_of_owner<'a>(&self, key: &'a ObjectKey) -> Option<&'a str> {
        let namespace = key.namespace.as_ref().map(Namespace::as_str);
        namespace.filter(|_| self.owner_kind.is_namespaced)
    }

    /// Whether the annotation names an owner of another kind: one with a namespace where ours have none, or
    /// without where ours have one. What such an owner made is somebody else's.
    fn names_another_kind(&self, mark: &str) -> bool {
        let path = mark.split_once('/').map(|(_, path)| path);
        path.is_some_and(|path| path.contains('/') != self.owner_kind.is_namespaced)
    }

    /// The set, the namespace and the name of the owner that the annotation names.
    fn owner_parts<'a>(&self, mark: &'a str) -> Option<OwnerParts<'a>> {
        let (set, rest) = mark.split_once('/')?;
        if !self.owner_kind.is_namespaced {
            return Some((set, None, rest));
        }
        let (namespace, name) = rest.split_once('/')?;
        Some((set, Some(namespace), name))
    }

    fn marks(&mut self, metadata: &Metadata<'_>, key: &ObjectKey) -> Marks {
        let label = |name: &str| metadata.labels.as_ref()?.get(name);
        let annotation = |name: &str| metadata.annotations.as_ref()?.get(name);
        let labels = label(SET_LABEL).zip(label(self.owner_kind.label));
        let labels = labels.map(|(set, name)| (set, self.namespace_of_owner(key), name));
        let mark = annotation(OWNER_ANNOTATION);
        let is_of_our_kind = !mark.is_some_and(|mark| self.names_another_kind(mark));
        let annotated = mark.and_then(|mark| self.owner_parts(mark));
        let owner =
            annotated
                .or(labels)
                .filter(|_| is_of_our_kind)
                .map(|(set, namespace, name)| Owner {
                    kind: self.owner_kind,
                    set: SetName::from(self.interner.intern(set)),
                    namespace: namespace.map(|name| Namespace::from(self.interner.intern(name))),
                    name: self.interner.intern(name),
                });
        Marks {
            managed: label(MANAGED_BY_LABEL) == Some(MANAGED_BY),
            labelled: annotated.is_some() && annotated == labels,
            owner,
            source: annotation(SOURCE_ANNOTATION).map(|source| self.interner.intern(source)),
            on_its_target: annotation(TARGET_ANNOTATION) == Some(&target_mark(key)),
            content: annotation(CONTENT_ANNOTATION).and_then(ContentHash::parse),
            prune: annotation(PRUNE_ANNOTATION).and_then(PrunePolicy::parse),
            adopted: annotation(ADOPTED_ANNOTATION).map(Into::into),
        }
    }
}

fn carried(metadata: &Metadata<'_>) -> Option<Box<ObservedCarried>> {
    let annotations = metadata.annotations.as_ref();
    let mark = annotations?.get(CARRIED_ANNOTATION)?;
    let carried = ObservedCarried::new(mark, metadata.labels.as_ref(), annotations);
    Some(Box::new(carried))
}
