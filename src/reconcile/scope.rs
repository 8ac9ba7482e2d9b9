//! What one run answers for: which owners it knows, and whose objects it may therefore delete.

use std::{
    collections::{BTreeSet, HashSet},
    sync::Arc,
};

use super::{Namespace, Observed, Owner, ResourceType, SetName};

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
    /// Owners that want their objects to stay once they don't want them any more.
    pub orphaning: BTreeSet<Owner>,
    /// Originals that aren't copied any more although they are there: what was made from them is kept.
    pub kept_sources: HashSet<(&'static ResourceType, Arc<str>)>,
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

/// An owner's namespace, if its kind has one, and its name: what tells it from others of its set.
pub type OwnerName = (Option<Namespace>, Arc<str>);

/// The owners that a run loaded.
#[derive(Clone, Debug)]
pub enum Loaded {
    /// The whole set: an owner that isn't there doesn't exist.
    WholeSet,
    /// All of the set that are in one namespace.
    InNamespace(Namespace),
    /// These of the set: of any other owner nothing is known.
    Only(BTreeSet<OwnerName>),
}

impl Loaded {
    /// Whether an owner of the set is among them, if it exists.
    pub fn contains(&self, owner: &Owner) -> bool {
        match self {
            Self::WholeSet => true,
            Self::InNamespace(namespace) => owner.namespace.as_ref() == Some(namespace),
            Self::Only(names) => names.contains(&(owner.namespace.clone(), owner.name.clone())),
        }
    }
}

impl Scope {
    /// Whether what `owner` wants is known, an owner that doesn't exist wanting nothing.
    pub fn knows(&self, owner: &Owner) -> bool {
        self.acts_for(owner) && !self.withheld.contains(owner)
    }

    /// Whether the run is about what `owner` wants.
    pub fn acts_for(&self, owner: &Owner) -> bool {
        owner.set == self.set && self.loaded.contains(owner)
    }

    /// Whether an object that its owner doesn't want may be deleted.
    pub fn may_prune(&self, observed: &Observed) -> bool {
        let (key, marks) = (&observed.key, &observed.marks);
        let namespace = key.namespace.as_ref();
        let leaving = namespace.is_some_and(|name| self.leaving.contains(name));
        let source = marks.source.as_ref();
        let kept = source
            .is_some_and(|source| self.kept_sources.contains(&(key.resource, source.clone())));
        let known = marks.owner.as_ref().is_some_and(|owner| self.knows(owner));
        self.pruning != Pruning::Off && !leaving && !kept && known
    }
}
