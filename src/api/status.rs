//! What a run reports about a rule.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::constraints;

/// What was last observed of a rule.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = constraints::drop_defaults)]
pub struct CopyratorRuleStatus {
    /// The generation of the rule that this status is about; an older one means that the last
    /// change hasn't been acted on yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "i64", range(min = 0))]
    pub observed_generation: Option<i64>,
    /// The rule's conditions, `Ready` first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "constraints::conditions")]
    pub conditions: Vec<Condition>,
    /// How many originals the rule has found.
    #[serde(default)]
    #[schemars(schema_with = "constraints::count")]
    pub sources: u32,
    /// How many copies fare how.
    #[serde(default)]
    pub copies: CopyCounts,
    /// The first copies that aren't in step, by namespace and name; at most 16 are listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "constraints::failing_namespaces")]
    pub failing_namespaces: Vec<FailingNamespace>,
    /// When the rule's copies were last changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub last_sync_time: Option<String>,
}

/// How many copies of a rule fare how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
#[schemars(transform = constraints::drop_defaults)]
pub struct CopyCounts {
    /// The copies that the rule wants.
    #[schemars(schema_with = "constraints::count")]
    pub wanted: u32,
    /// The copies that hold what they should.
    #[schemars(schema_with = "constraints::count")]
    pub in_step: u32,
    /// The places that something else has.
    #[schemars(schema_with = "constraints::count")]
    pub conflicts: u32,
    /// The copies that couldn't be brought in step.
    #[schemars(schema_with = "constraints::count")]
    pub failed: u32,
}

/// A namespace in which a copy isn't in step.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FailingNamespace {
    /// The namespace.
    #[schemars(length(max = 63))]
    pub namespace: String,
    /// The copy's name.
    #[schemars(length(max = 253))]
    pub name: String,
    /// Why, as one word in `CamelCase`.
    #[schemars(schema_with = "constraints::failing_reason")]
    pub reason: String,
}

/// The most entries of `failingNamespaces`.
pub const MOST_FAILING_NAMESPACES: usize = 16;
