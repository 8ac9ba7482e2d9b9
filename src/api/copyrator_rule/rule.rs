//! The resource itself: its names, its columns and the fields of its spec.

use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

use super::{
    ConflictPolicy, DataSelection, MetadataSelection, PrunePolicy, Resource, Source, Target,
};
use crate::api::{CopyratorRuleStatus, constraints};

/// Which objects are copied, from where, and to which namespaces.
#[derive(CustomResource, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, KubeSchema)]
#[kube(
    group = "copyrator.dev",
    version = "v1alpha1",
    kind = "CopyratorRule",
    plural = "copyratorrules",
    singular = "copyratorrule",
    shortname = "copyr",
    category = "copyrator",
    status = "CopyratorRuleStatus",
    derive = "PartialEq",
    doc = "Copies the selected ConfigMaps or Secrets of the source namespaces to the target namespaces.",
    // The copies carry the rule's name as a label, and a label's value has at most 63 characters.
    validation = Rule::new("self.metadata.name.size() <= 63")
        .message("a rule's name has at most 63 characters, because its copies carry the name as a label; choose a shorter one")
        .field_path(".metadata.name"),
    printcolumn(name = "Ready", type_ = "string", json_path = ".status.conditions[?(@.type==\"Ready\")].status",
        description = "Whether every copy is in step, as a controller last saw it."),
    printcolumn(name = "Copies", type_ = "integer", json_path = ".status.copies.inStep",
        description = "The number of copies that hold what they should."),
    printcolumn(name = "Resource", type_ = "string", json_path = ".spec.resource",
        description = "The kind of object that is copied."),
    printcolumn(name = "From", type_ = "string", json_path = ".spec.source.namespaces",
        description = "The namespaces that hold the originals."),
    printcolumn(name = "Names", type_ = "string", json_path = ".spec.source.names",
        description = "Globs over the originals' names."),
    printcolumn(name = "To", type_ = "string", json_path = ".spec.target.namespaces",
        description = "Globs over the names of the target namespaces."),
    printcolumn(name = "Age", type_ = "date", json_path = ".metadata.creationTimestamp",
        description = "The time since the rule was created."),
    printcolumn(name = "Wanted", type_ = "integer", json_path = ".status.copies.wanted",
        priority = 1, description = "The number of copies that the rule wants."),
    printcolumn(name = "Last-Sync", type_ = "date", json_path = ".status.lastSyncTime",
        priority = 1, description = "The time since the rule's copies were last changed."),
    printcolumn(name = "Suspended", type_ = "boolean", json_path = ".spec.suspend",
        priority = 1, description = "Whether the rule rests."),
    printcolumn(name = "Source-Selector", type_ = "string", json_path = ".spec.source.selector",
        priority = 1, description = "The labels that the originals must have."),
    printcolumn(name = "Types", type_ = "string", json_path = ".spec.source.types",
        priority = 1, description = "The types that a Secret must be one of."),
    printcolumn(name = "Target-Selector", type_ = "string", json_path = ".spec.target.selector",
        priority = 1, description = "The labels that the target namespaces must have."),
    printcolumn(name = "Exclude", type_ = "string", json_path = ".spec.target.exclude",
        priority = 1, description = "Globs over the names of namespaces that never get a copy."),
    printcolumn(name = "Copy-Name", type_ = "string", json_path = ".spec.target.name",
        priority = 1, description = "The name of a copy; {name} and {namespace} are its original's."),
    printcolumn(name = "Conflicts", type_ = "string", json_path = ".spec.conflictPolicy",
        priority = 1, description = "What happens where the copy's name is taken."),
    printcolumn(name = "Prune", type_ = "string", json_path = ".spec.prunePolicy",
        priority = 1, description = "What happens to a copy that isn't wanted any more.")
)]
#[x_kube(validation = constraints::types_of_config_maps())]
#[x_kube(validation = constraints::root_certificate_as_source())]
#[x_kube(validation = constraints::root_certificate_as_copy())]
#[x_kube(validation = constraints::only_onto_itself())]
#[x_kube(validation = constraints::keys_that_types_need())]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CopyratorRuleSpec {
    /// The kind of object to copy: `Secret` or `ConfigMap`.
    pub resource: Resource,
    /// Where the originals are and which of them are copied.
    pub source: Source,
    /// The namespaces that get copies, and what the copies are called there.
    pub target: Target,
    /// Which keys of `data` and `binaryData` are copied, and under which names; all of them, under
    /// their own, when left out.
    #[serde(default, skip_serializing_if = "DataSelection::is_everything")]
    pub data: DataSelection,
    /// Which labels and annotations of the original its copies take over; none when left out. What
    /// copyrator and `kubectl apply` write there for themselves is never taken over.
    #[serde(default, skip_serializing_if = "MetadataSelection::is_nothing")]
    pub metadata: MetadataSelection,
    /// What happens where an object that is not a copy of ours already has the copy's name.
    /// `Skip` leaves it alone and reports it, `Adopt` takes it over if it equals the original, and
    /// `Overwrite` takes it over and replaces its data.
    #[serde(default)]
    pub conflict_policy: ConflictPolicy,
    /// What happens to a copy once the rule doesn't want it any more: `Delete` deletes it, `Orphan`
    /// leaves it where it is, as an object that is nobody's copy. What was taken over is never
    /// deleted.
    #[serde(default)]
    pub prune_policy: PrunePolicy,
    /// Lets the rule rest: its copies stay as they are, and none is made, changed or deleted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub suspend: bool,
}
