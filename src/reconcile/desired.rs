//! An object that should exist.

use std::sync::{Arc, OnceLock};

use super::{
    Carried, CarriedDigest, ConflictPolicy, Content, ContentHash, Marks, ObjectKey, Observed,
    OwnedFields, Owner, OwnerReference, PrunePolicy,
};

/// What decides, beside the owner's name, who comes first where several want the same object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Precedence {
    /// When the owner was made, as RFC 3339 in UTC; empty where that means nothing (files).
    pub created: Arc<str>,
    /// The place of the original among the owner's.
    pub source: usize,
}

/// What an owner says of its objects' beginning and end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Policies {
    /// What happens where something that isn't ours has an object's place.
    pub conflict: ConflictPolicy,
    /// What happens to the objects once they aren't wanted any more.
    pub prune: PrunePolicy,
}

/// What all the objects that one owner makes from one original have in common. There may be tens
/// of thousands of them, so what can be computed once is computed here.
pub struct Template {
    /// Who wants the objects.
    pub owner: Owner,
    /// Where the content comes from, as `namespace/name`.
    pub source: Arc<str>,
    /// What the owner says of their beginning and end.
    pub policies: Policies,
    /// The owner's place where several want the same object.
    pub precedence: Precedence,
    content: Arc<Content>,
    carried: Carried,
    hash: ContentHash,
    fields: OwnedFields,
    carried_digest: Option<CarriedDigest>,
    owner_reference: Option<OwnerReference>,
    serialized: OnceLock<Serialized>,
}

/// Those parts of requests' bodies that are the same for all objects of a template.
pub struct Serialized {
    /// Of a creation.
    pub create: Box<str>,
    /// Of an update of everything.
    pub update: Box<str>,
    /// Of an update of the content alone: the API server takes operations one by one, and fewer of them
    /// cost it less.
    pub content: Box<str>,
}

impl Template {
    /// The template of what `owner` makes from the original at `source`.
    pub fn new(
        owner: Owner,
        source: Arc<str>,
        content: Arc<Content>,
        carried: Carried,
        policies: Policies,
        precedence: Precedence,
    ) -> Self {
        Self {
            owner,
            source,
            policies,
            precedence,
            hash: content.hash(),
            fields: content.owned_fields(),
            carried_digest: carried.digest(),
            content,
            carried,
            owner_reference: None,
            serialized: OnceLock::new(),
        }
    }

    /// The same, with objects that the cluster deletes together with the owner.
    #[must_use]
    pub fn referring_to(mut self, owner: Option<OwnerReference>) -> Self {
        self.owner_reference = owner;
        self
    }

    /// The reference to the owner that the objects should have, if they should have one.
    pub fn owner_reference(&self) -> Option<&OwnerReference> {
        self.owner_reference.as_ref()
    }

    /// What the objects hold.
    pub fn content(&self) -> &Content {
        &self.content
    }

    /// The hash of [`Self::content`].
    pub fn hash(&self) -> ContentHash {
        self.hash
    }

    /// The fields that we own on an object in step.
    pub fn fields(&self) -> OwnedFields {
        self.fields
    }

    /// The labels and annotations that the objects take over.
    pub fn carried(&self) -> &Carried {
        &self.carried
    }

    /// The digest of [`Self::carried`].
    pub fn carried_digest(&self) -> Option<CarriedDigest> {
        self.carried_digest
    }

    /// The parts of bodies as the caller serializes them, which happens once.
    pub fn serialized(&self, serialize: impl FnOnce(&Self) -> Serialized) -> &Serialized {
        self.serialized.get_or_init(|| serialize(self))
    }
}

/// An object that should exist.
#[derive(Clone)]
pub struct Desired {
    /// Which object.
    pub key: ObjectKey,
    /// What it should be.
    pub template: Arc<Template>,
}

impl Desired {
    /// Whether the marks are those that the object should have, but for that of its content.
    pub fn has_its_marks(&self, marks: &Marks) -> bool {
        let template = &self.template;
        marks.managed
            && marks.labelled
            && marks.owner.as_ref() == Some(&template.owner)
            && marks.source.as_ref() == Some(&template.source)
            && marks.prune == Some(template.policies.prune)
    }

    /// Whether the object refers to its owner, if it should.
    pub fn has_its_owner_reference(&self, observed: &Observed) -> bool {
        let found = observed.owner_references.as_ref();
        let found = found.and_then(|references| references.ours.as_ref());
        self.template
            .owner_reference()
            .is_none_or(|wanted| found.is_some_and(|(_, uid)| *uid == wanted.uid))
    }

    /// Whether the object has taken over what it should of its original's metadata.
    pub fn has_its_metadata(&self, observed: &Observed) -> bool {
        let found = observed.carried.as_ref().map(|carried| carried.digest);
        found == self.template.carried_digest()
    }

    /// The order in which owners get an object that several want: the oldest first, then by name;
    /// and of one owner's originals the first.
    pub fn rank(&self) -> (&Arc<str>, &Owner, usize, &Arc<str>) {
        let Template {
            precedence,
            owner,
            source,
            ..
        } = &*self.template;
        (&precedence.created, owner, precedence.source, source)
    }
}
