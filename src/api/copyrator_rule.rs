//! The `CopyratorRule`: which ConfigMaps or Secrets are copied to which namespaces.
//!
//! The doc comments of the fields are what `kubectl explain copyratorrule.spec` shows.

use std::collections::BTreeMap;

use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{CopyratorRuleStatus, LabelSelector, constraints};

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
    printcolumn(name = "Source-Selector", type_ = "string", json_path = ".spec.source.selector",
        priority = 1, description = "The labels that the originals must have."),
    printcolumn(name = "Types", type_ = "string", json_path = ".spec.source.types",
        priority = 1, description = "The types that a Secret must be one of."),
    printcolumn(name = "Target-Selector", type_ = "string", json_path = ".spec.target.selector",
        priority = 1, description = "The labels that the target namespaces must have."),
    printcolumn(name = "Exclude", type_ = "string", json_path = ".spec.target.exclude",
        priority = 1, description = "Globs over the names of namespaces that never get a copy."),
    printcolumn(name = "Conflicts", type_ = "string", json_path = ".spec.conflictPolicy",
        priority = 1, description = "What happens where the copy's name is taken.")
)]
#[x_kube(validation = Rule::new("self.resource == 'Secret' || !has(self.source.types) || self.source.types.size() == 0")
    .message("only Secrets have types; remove types, or write resource: Secret")
    .field_path(".source.types")
    .reason(Reason::FieldValueForbidden))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CopyratorRuleSpec {
    /// The kind of object to copy: `Secret` or `ConfigMap`.
    pub resource: Resource,
    /// Where the originals are and which of them are copied.
    pub source: Source,
    /// The namespaces that get copies.
    pub target: Target,
    /// Which keys of `data` and `binaryData` are copied, and under which names; all of them, under
    /// their own, when left out.
    #[serde(default, skip_serializing_if = "DataSelection::is_everything")]
    pub data: DataSelection,
    /// Which labels and annotations of the original its copies take over; none when left out.
    #[serde(default, skip_serializing_if = "MetadataSelection::is_nothing")]
    pub metadata: MetadataSelection,
    /// What happens where an object that is not a copy of ours already has the copy's name.
    /// `Skip` leaves it alone and reports it, `Adopt` takes it over if it equals the original, and
    /// `Overwrite` takes it over and replaces its data.
    #[serde(default)]
    pub conflict_policy: ConflictPolicy,
    /// What happens to a copy once the rule doesn't want it any more: `Delete` deletes it, `Orphan`
    /// leaves it where it is. What was taken over is never deleted.
    #[serde(default)]
    pub prune_policy: PrunePolicy,
    /// Whether the rule rests: its copies stay as they are, none is made, changed or deleted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub suspend: bool,
}

/// The kinds of object that can be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Resource {
    /// A core/v1 Secret.
    Secret,
    /// A core/v1 ConfigMap.
    ConfigMap,
}

/// The originals: at least one of `names` and `selector` is given; with both, both must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, KubeSchema)]
#[x_kube(validation = Rule::new("(has(self.names) && self.names.size() > 0) || has(self.selector)")
    .message("source needs names or a selector; to copy everything in its namespaces write names: [\"*\"]")
    .reason(Reason::FieldValueRequired))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Source {
    /// The exact names of the namespaces that hold the originals; no globs.
    #[schemars(schema_with = "constraints::source_namespaces")]
    pub namespaces: Vec<String>,
    /// Globs over the originals' names, anchored at both ends: `regcred`, `tls-*`, `app-[ab]`,
    /// `{web,api}-config`. At least one must match.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "constraints::globs")]
    pub names: Vec<String>,
    /// Selects the originals by their labels. An empty selector is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "LabelSelector")]
    pub selector: Option<LabelSelector>,
    /// Copies only Secrets of these types, such as `kubernetes.io/dockerconfigjson`; allowed with
    /// `resource: Secret` only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "constraints::secret_types")]
    pub types: Vec<String>,
}

/// The namespaces that get copies: at least one of `namespaces` and `selector` is given; with
/// both, both must hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, KubeSchema)]
#[x_kube(validation = Rule::new("(has(self.namespaces) && self.namespaces.size() > 0) || has(self.selector)")
    .message("target needs namespaces or a selector; to copy to every namespace write namespaces: [\"*\"]")
    .reason(Reason::FieldValueRequired))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Target {
    /// Globs over the namespaces' names, anchored at both ends: `team-*` doesn't match `my-team-a`.
    /// `["*"]` means every namespace.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "constraints::globs")]
    pub namespaces: Vec<String>,
    /// Selects the namespaces by their labels. An empty selector is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "LabelSelector")]
    pub selector: Option<LabelSelector>,
    /// Globs over the names of namespaces that never get a copy, whatever else selects them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "constraints::globs")]
    pub exclude: Vec<String>,
    /// The name of a copy; `{name}` and `{namespace}` stand for those of its original.
    #[serde(default = "same_name")]
    #[schemars(schema_with = "constraints::name_template")]
    pub name: String,
}

fn same_name() -> String {
    "{name}".to_owned()
}

/// Which keys of `data` and `binaryData` are copied, and under which names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, KubeSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DataSelection {
    /// Globs over the keys that are copied; all of them when left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "constraints::key_globs")]
    pub include: Vec<String>,
    /// Globs over the keys that are not copied, whatever `include` says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "constraints::key_globs")]
    pub exclude: Vec<String>,
    /// The name in the copy, by the key in the original.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(schema_with = "constraints::renames")]
    pub rename: BTreeMap<String, String>,
}

impl DataSelection {
    /// Whether all keys are copied under their own names.
    pub fn is_everything(&self) -> bool {
        self == &Self::default()
    }
}

/// Which labels and annotations of the original its copies take over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, KubeSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MetadataSelection {
    /// Globs over the keys of the labels that are taken over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "constraints::metadata_globs")]
    pub labels: Vec<String>,
    /// Globs over the keys of the annotations that are taken over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "constraints::metadata_globs")]
    pub annotations: Vec<String>,
}

impl MetadataSelection {
    /// Whether nothing is taken over.
    pub fn is_nothing(&self) -> bool {
        self == &Self::default()
    }
}

/// What happens where an object that is not ours already has the copy's name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum ConflictPolicy {
    /// Leave it alone and report it.
    #[default]
    Skip,
    /// Take it over if it equals the original; otherwise leave it alone and report it.
    Adopt,
    /// Take it over, and replace its data.
    Overwrite,
}

/// What happens to a copy once its rule doesn't want it any more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum PrunePolicy {
    /// Delete it.
    #[default]
    Delete,
    /// Leave it where it is; it belongs to nobody then.
    Orphan,
}
