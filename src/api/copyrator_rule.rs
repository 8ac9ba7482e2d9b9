//! The `CopyratorRule`: which ConfigMaps or Secrets are copied to which namespaces.
//!
//! The doc comments of the fields are what `kubectl explain copyratorrule.spec` shows.

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
    /// What happens where an object that is not a copy of ours already has the copy's name.
    /// `Skip` leaves it alone and reports it.
    #[serde(default)]
    pub conflict_policy: ConflictPolicy,
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, KubeSchema)]
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
}

/// What happens where an object that is not ours already has the copy's name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum ConflictPolicy {
    /// Leave it alone and report it.
    #[default]
    Skip,
}
