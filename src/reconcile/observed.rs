//! An object as it was found, reduced to what the decision needs.

use std::sync::Arc;

use super::{
    Content, ContentHash, Marks, ObjectKey, ObjectVersion, ObservedCarried, ObservedReferences,
    OwnedFields,
};

/// An object as it was found. There may be tens of thousands, so it holds a few words, not the object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    /// Which object.
    pub key: ObjectKey,
    /// Which state of it.
    pub version: ObjectVersion,
    /// Our marks on it.
    pub marks: Marks,
    /// What the managed fields say of who wrote the content.
    pub provenance: Provenance,
    /// Whether the managed fields know of nobody but us: then nothing on it is anybody else's.
    pub is_ours_alone: bool,
    /// What it really holds, if it was read.
    pub actual: Option<Actual>,
    /// What it has taken over of its original's metadata, if anything.
    pub carried: Option<Box<ObservedCarried>>,
    /// Which maps of the metadata are there: JSON Patch can't add a member to one that isn't.
    pub present: PresentMaps,
    /// Its owner references, if it has any.
    pub owner_references: Option<Box<ObservedReferences>>,
    /// Whether it is being deleted.
    pub deleting: bool,
    /// What is known of those to whom it belongs; none when it is ours.
    pub foreign: Option<Box<Foreign>>,
}

impl Observed {
    /// The field managers that own the content of an object that isn't ours.
    pub fn managers(&self) -> &[String] {
        self.foreign
            .as_ref()
            .map_or(&[], |foreign| &foreign.managers)
    }
}

/// What an object really holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actual {
    /// The hash of its content.
    pub hash: ContentHash,
    /// Its type, if it has one.
    pub r#type: Option<Arc<str>>,
    /// Whether its content can't be changed any more.
    pub immutable: bool,
}

impl Actual {
    /// Whether the API server would let this content be written onto the object: a type never changes.
    pub fn accepts(&self, content: &Content) -> bool {
        !self.immutable && self.r#type.as_deref() == content.r#type.as_deref()
    }
}

/// To whom an object belongs that is not ours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Foreign {
    /// The field managers that own content, sorted.
    pub managers: Vec<String>,
    /// What its label says of who manages it.
    pub managed_by: Option<Box<str>>,
}

/// An object as it was found, in a place of its own: from the list it goes into its step without being
/// copied.
pub type Found = Box<Observed>;

/// What the managed fields say of who wrote the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provenance {
    /// We alone, and these fields.
    OursAlone(OwnedFields),
    /// Somebody else too, or it can't be told.
    Doubtful,
}

/// Which maps of an object's metadata exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PresentMaps {
    /// `metadata.labels`.
    pub labels: bool,
    /// `metadata.annotations`.
    pub annotations: bool,
}
