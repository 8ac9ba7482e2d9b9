//! The `CopyratorRule`: which ConfigMaps or Secrets are copied to which namespaces.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::LabelSelector;

/// Copies the selected objects of the source namespaces to the target namespaces.
#[derive(CustomResource, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "copyrator.dev",
    version = "v1alpha1",
    kind = "CopyratorRule",
    plural = "copyratorrules",
    singular = "copyratorrule",
    shortname = "copyr",
    category = "copyrator",
    status = "CopyratorRuleStatus"
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CopyratorRuleSpec {
    /// The kind of object to copy.
    pub resource: Resource,
    /// Where the originals are and which ones are copied.
    pub source: Source,
    /// The namespaces that get copies.
    pub target: Target,
    /// What happens where an object that is not ours already has the copy's name.
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

/// The originals: at least one of `names` and `selector` is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Source {
    /// The exact names of the namespaces that hold the originals.
    pub namespaces: Vec<String>,
    /// Globs over the originals' names, anchored at both ends.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// Selects the originals by their labels; an empty selector is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<LabelSelector>,
    /// Only Secrets of these types; with `resource: Secret` only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<String>,
}

/// The namespaces that get copies: at least one of `namespaces` and `selector` is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Target {
    /// Globs over the namespaces' names, anchored at both ends; `["*"]` means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub namespaces: Vec<String>,
    /// Selects the namespaces by their labels; with `namespaces`, both must hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<LabelSelector>,
    /// Globs over the names of namespaces that never get a copy.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
}

/// What happens where an object that is not ours already has the copy's name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum ConflictPolicy {
    /// Leave it alone and report it.
    #[default]
    Skip,
}

/// What was last observed of a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CopyratorRuleStatus {
    /// The generation of the rule that this status is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
}
