//! Owner references: they let the cluster itself delete an object once its owner is deleted.

use serde::{Deserialize, Serialize};

use super::borrowed::Text;

/// The reference to the owner on an object that it wants.
///
/// It doesn't block the owner's deletion: that would take the right to change the owner's finalizers
/// (<https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#ownerreferencespermissionenforcement>).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OwnerReference {
    /// The owner's `apiVersion`.
    pub api_version: String,
    /// The owner's kind.
    pub kind: &'static str,
    /// The owner's name.
    pub name: Box<str>,
    /// The owner's uid: a successor of the same name is another owner.
    pub uid: Box<str>,
    /// Whether it is the one that manages the object.
    pub controller: bool,
}

/// What an object's owner references say, as far as they matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObservedReferences {
    /// The one that an owner of ours has: its place in the list, and the owner's uid.
    pub ours: Option<(usize, Box<str>)>,
}

/// One entry of `metadata.ownerReferences`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReferenceEntry<'a> {
    #[serde(borrow)]
    api_version: Text<'a>,
    #[serde(borrow)]
    uid: Text<'a>,
}

/// Our API group, with the slash before the version.
const GROUP: &str = "copyrator.dev/";

impl ObservedReferences {
    /// Reads the references; none when there are none.
    pub(super) fn new(entries: &[ReferenceEntry<'_>]) -> Option<Box<Self>> {
        let is_ours = |entry: &ReferenceEntry<'_>| entry.api_version.as_str().starts_with(GROUP);
        let ours = entries.iter().position(is_ours);
        let ours = ours.map(|index| (index, entries[index].uid.as_str().into()));
        (!entries.is_empty()).then(|| Box::new(Self { ours }))
    }
}
