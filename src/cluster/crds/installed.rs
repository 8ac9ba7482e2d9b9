//! A definition as the cluster has it.

use serde_json::Value;

use super::{
    WantedDefinition,
    comparison::{is_equal, is_stored_as},
};
use crate::{
    api::SCHEMA_REVISION_ANNOTATION,
    reconcile::{Failure, MANAGED_BY, MANAGED_BY_LABEL},
};

/// A definition as the cluster has it.
///
/// It is kept as JSON: a type would drop the fields of newer versions of Kubernetes unseen.
#[derive(Clone, Debug)]
pub struct InstalledDefinition(Value);

/// One condition of a definition's status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition<'a> {
    /// `True`, `False` or `Unknown`.
    pub status: &'a str,
    /// Details for a person.
    pub message: &'a str,
}

impl InstalledDefinition {
    /// Reads an answer of the API server.
    pub(super) fn read(body: &[u8]) -> Result<Self, Failure> {
        let definition = serde_json::from_slice(body).map(Self);
        definition.map_err(|error| Failure::Malformed(error.to_string()))
    }

    /// Its uid, which a successor of the same name doesn't share.
    pub fn uid(&self) -> &str {
        self.text(&["metadata", "uid"]).unwrap_or_default()
    }

    pub(super) fn resource_version(&self) -> &str {
        self.text(&["metadata", "resourceVersion"])
            .unwrap_or_default()
    }

    /// Whether this program made it.
    pub fn is_ours(&self) -> bool {
        self.text(&["metadata", "labels", MANAGED_BY_LABEL]) == Some(MANAGED_BY)
    }

    /// The revision of its schema, as the annotation has it.
    pub fn schema_revision(&self) -> Option<&str> {
        self.text(&["metadata", "annotations", SCHEMA_REVISION_ANNOTATION])
    }

    /// Whether it is being deleted, with all of its objects.
    pub fn is_being_deleted(&self) -> bool {
        self.text(&["metadata", "deletionTimestamp"]).is_some()
    }

    /// One condition of its status.
    pub fn condition(&self, name: &str) -> Option<Condition<'_>> {
        let conditions = self.get(&["status", "conditions"])?.as_array()?;
        let condition = conditions
            .iter()
            .find(|condition| condition["type"] == name)?;
        Some(Condition {
            status: condition["status"].as_str().unwrap_or("Unknown"),
            message: condition["message"].as_str().unwrap_or_default(),
        })
    }

    /// Whether a condition of its status holds.
    pub fn has(&self, condition: &str) -> bool {
        self.condition(condition)
            .is_some_and(|condition| condition.status == "True")
    }

    /// Whether a write of `wanted` would change nothing.
    pub fn equals(&self, wanted: &WantedDefinition) -> bool {
        let marks = |map| {
            let mut wanted = wanted.marks(map).as_object().into_iter().flatten();
            wanted.all(|(name, value)| self.get(&["metadata", map, name]) == Some(value))
        };
        let spec = self.get(&["spec"]).unwrap_or(&Value::Null);
        is_stored_as(wanted.spec(), spec) && marks("labels") && marks("annotations")
    }

    /// Whether a write made `self` of `before` without a change that we asked for.
    pub(super) fn is_same_as(&self, before: &Self) -> bool {
        let fields: [&[&str]; 3] = [
            &["spec"],
            &["metadata", "labels"],
            &["metadata", "annotations"],
        ];
        let field = |definition: &Self, path| definition.get(path).cloned().unwrap_or_default();
        fields
            .into_iter()
            .all(|path| is_equal(&field(self, path), &field(before, path)))
    }

    /// Whether `metadata` has this map: a patch can only add to one that is there.
    pub(super) fn has_map(&self, map: &str) -> bool {
        self.get(&["metadata", map]).is_some()
    }

    fn get(&self, path: &[&str]) -> Option<&Value> {
        path.iter().try_fold(&self.0, |value, name| value.get(name))
    }

    fn text(&self, path: &[&str]) -> Option<&str> {
        self.get(path)?.as_str()
    }
}
