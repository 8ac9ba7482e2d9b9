//! An object as it was found, reduced to what the decision needs.

use super::{ContentHash, Marks, ObjectKey, ObjectVersion, OwnedFields};

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
    /// What it really holds, if it was read.
    pub actual: Option<ContentHash>,
    /// Which maps of the metadata are there: JSON Patch can't add a member to one that isn't.
    pub present: PresentMaps,
    /// Whether it is being deleted.
    pub deleting: bool,
    /// The field managers that own content, sorted; only filled when the object is not ours.
    pub managers: Vec<String>,
}

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
