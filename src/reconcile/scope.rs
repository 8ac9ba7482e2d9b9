//! What one run answers for: which owners it knows, and whose objects it may therefore delete.

use std::{
    collections::{BTreeSet, HashSet},
    sync::Arc,
};

use super::{Namespace, ObjectKey, Owner, SetName};

/// What one run answers for.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The set that the run loads owners from.
    pub set: SetName,
    /// The owners that were loaded.
    pub loaded: Loaded,
    /// Owners that were loaded but whose wishes aren't fully known, because something that they
    /// need couldn't be read: what they seem not to want is kept.
    pub withheld: BTreeSet<Owner>,
    /// Namespaces that are being deleted: nothing in them is worth a request.
    pub leaving: HashSet<Namespace>,
    /// Whether anything may be deleted at all.
    pub pruning: Pruning,
}

/// What happens to objects that their owners don't want any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// They stay.
    Off,
    /// What their own mark says.
    ByPolicy,
    /// They are deleted whatever their mark says, because somebody asked for just that.
    OnPurpose,
}

/// The owners that a run loaded.
#[derive(Clone, Debug)]
pub enum Loaded {
    /// The whole set: an owner that isn't there doesn't exist.
    WholeSet,
    /// These of the set, by name: of any other owner nothing is known.
    Only(BTreeSet<Arc<str>>),
}

impl Scope {
    /// Whether what `owner` wants is known, an owner that doesn't exist wanting nothing.
    pub fn knows(&self, owner: &Owner) -> bool {
        self.acts_for(owner) && !self.withheld.contains(owner)
    }

    /// Whether the run is about what `owner` wants.
    pub fn acts_for(&self, owner: &Owner) -> bool {
        owner.set == self.set
            && match &self.loaded {
                Loaded::WholeSet => true,
                Loaded::Only(names) => names.contains(&owner.name),
            }
    }

    /// Whether an object that its owner doesn't want may be deleted.
    pub fn may_prune(&self, owner: &Owner, key: &ObjectKey) -> bool {
        let leaving = key
            .namespace
            .as_ref()
            .is_some_and(|name| self.leaving.contains(name));
        self.pruning != Pruning::Off && !leaving && self.knows(owner)
    }
}
