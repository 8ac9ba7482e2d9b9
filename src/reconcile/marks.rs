//! The labels and annotations that make an object ours, and what they say.

use std::{fmt, sync::Arc};

use serde::Serialize;

use super::{ContentHash, Name, Namespace, ObjectKey, ResourceType};

/// The label that lists everything this program made.
pub const MANAGED_BY_LABEL: &str = "app.kubernetes.io/managed-by";
/// The value of [`MANAGED_BY_LABEL`] on our objects.
pub const MANAGED_BY: &str = "kubectl-copyrator";
/// The label that holds the set which the owner belongs to.
pub const SET_LABEL: &str = "copyrator.dev/set";
/// The annotation that holds the owner, as `set/name`, or `set/namespace/name` where owners have a
/// namespace. The labels say so too, for lists; but labels are easily lost, and an object whose owner isn't
/// known could be taken for anybody's.
pub const OWNER_ANNOTATION: &str = "copyrator.dev/owner";
/// The annotation that holds where the content came from.
pub const SOURCE_ANNOTATION: &str = "copyrator.dev/source";
/// The annotation that holds `namespace/name` of the object itself: on a clone made by somebody
/// else it names another object, and so the clone is not ours.
pub const TARGET_ANNOTATION: &str = "copyrator.dev/target";
/// The annotation that holds the [`ContentHash`] of what was written.
pub const CONTENT_ANNOTATION: &str = "copyrator.dev/content";
/// The annotation that holds what happens to the object once nobody wants it any more.
pub const PRUNE_ANNOTATION: &str = "copyrator.dev/prune";
/// The annotation on an object that was taken over, not made: it holds the value that
/// [`MANAGED_BY_LABEL`] had before, empty for none. Such an object is never deleted.
pub const ADOPTED_ANNOTATION: &str = "copyrator.dev/adopted";
/// The annotation that holds the [`CarriedKeys`](super::CarriedKeys) of the object.
pub const CARRIED_ANNOTATION: &str = "copyrator.dev/carried";
/// All annotations that are marks.
pub const ANNOTATION_MARKS: [&str; 7] = [
    OWNER_ANNOTATION,
    SOURCE_ANNOTATION,
    TARGET_ANNOTATION,
    CONTENT_ANNOTATION,
    PRUNE_ANNOTATION,
    ADOPTED_ANNOTATION,
    CARRIED_ANNOTATION,
];
/// The field manager of all our writes.
pub const FIELD_MANAGER: &str = "kubectl-copyrator";

/// A group of owners that is loaded and pruned together: the rules of the cluster, or those of
/// one set of files.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct SetName(Arc<str>);

impl SetName {
    /// The set of the owners that are objects in the cluster.
    pub fn cluster() -> Self {
        Self("cluster".into())
    }

    /// The set of the owners that are given in files, unless they say another.
    pub fn files() -> Self {
        Self("files".into())
    }

    /// The set's name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<Arc<str>> for SetName {
    fn from(name: Arc<str>) -> Self {
        Self(name)
    }
}

impl fmt::Display for SetName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// What a domain's owners are called, and how its objects name them.
#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OwnerKind {
    /// The resource of those owners that are objects of the cluster.
    pub resource: &'static ResourceType,
    /// The label that holds the owner's name.
    pub label: &'static str,
    /// What people call an owner: `rule`.
    pub noun: &'static str,
    /// Whether an owner is in a namespace, and its objects in the same one.
    pub is_namespaced: bool,
}

/// Who wants an object: a rule, or whatever a domain calls it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Owner {
    /// What kind of owner it is.
    pub kind: &'static OwnerKind,
    /// The set that the owner belongs to.
    pub set: SetName,
    /// The owner's namespace, if its kind has one.
    pub namespace: Option<Namespace>,
    /// The owner's name, the value of its kind's label.
    pub name: Arc<str>,
}

impl Owner {
    /// The owner as the annotation spells it. A set's name is a label's value, and so has no slash.
    pub fn to_mark(&self) -> String {
        format!("{}/{}", self.set, self.path())
    }

    /// `namespace/name`, or the name alone of an owner without a namespace.
    pub fn path(&self) -> String {
        match &self.namespace {
            Some(namespace) => format!("{namespace}/{}", self.name),
            None => self.name.to_string(),
        }
    }

    /// The object that the owner is; none for one from a file.
    pub fn object(&self) -> Option<ObjectKey> {
        (self.set == SetName::cluster()).then(|| ObjectKey {
            namespace: self.namespace.clone(),
            resource: self.kind.resource,
            name: Name::from(&*self.name),
        })
    }

    /// Whether the annotation names this owner.
    pub fn is_marked(&self, mark: &str) -> bool {
        mark == self.to_mark()
    }
}

/// What happens to an object once its owner doesn't want it any more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub enum PrunePolicy {
    /// It is deleted.
    #[default]
    Delete,
    /// It stays, and belongs to nobody.
    Orphan,
}

impl PrunePolicy {
    /// The policy as the annotation spells it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Delete => "Delete",
            Self::Orphan => "Orphan",
        }
    }

    /// Reads the annotation; none when it has another form.
    pub fn parse(mark: &str) -> Option<Self> {
        [Self::Delete, Self::Orphan]
            .into_iter()
            .find(|policy| policy.as_str() == mark)
    }
}

/// What happens where an object that isn't ours has the place of one that is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ConflictPolicy {
    /// It is left alone.
    #[default]
    Skip,
    /// It is taken over if it holds what is wanted already.
    Adopt,
    /// It is taken over, and its content replaced.
    Overwrite,
}

/// The marks that were found on an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Whether [`MANAGED_BY_LABEL`] is ours.
    pub managed: bool,
    /// Whether the owner's labels are there and right.
    pub labelled: bool,
    /// The owner, as the annotation says; without it, as the labels say.
    pub owner: Option<Owner>,
    /// Where the content came from.
    pub source: Option<Arc<str>>,
    /// Whether the target mark names the object that it is on.
    pub on_its_target: bool,
    /// The hash of what was written.
    pub content: Option<ContentHash>,
    /// What happens once nobody wants the object any more.
    pub prune: Option<PrunePolicy>,
    /// Whether the object was taken over, not made: then what [`MANAGED_BY_LABEL`] said before.
    pub adopted: Option<Box<str>>,
}

impl Marks {
    /// Whether the object that bears these marks was written by us.
    ///
    /// The annotations decide: labels are often lost (a manifest that was applied over ours), and
    /// come back with the next write.
    pub fn are_ours(&self) -> bool {
        self.on_its_target
            && self.content.is_some()
            && self.source.is_some()
            && self.owner.is_some()
    }
}

/// The value of [`TARGET_ANNOTATION`] on the object with this key.
pub fn target_mark(key: &ObjectKey) -> String {
    key.path()
}
