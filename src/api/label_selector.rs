//! The label selector of Kubernetes' `meta/v1`, with the bounds that our schemas put on it.

use std::collections::BTreeMap;

use kube::KubeSchema;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::constraints;

/// Selects objects by their labels; all the requirements must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, KubeSchema)]
#[x_kube(validation = Rule::new("(has(self.matchLabels) && self.matchLabels.size() > 0) || (has(self.matchExpressions) && self.matchExpressions.size() > 0)")
    .message("an empty selector would select everything and is refused; give matchLabels or matchExpressions, or leave the selector out")
    .reason(Reason::FieldValueRequired))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("x-kubernetes-map-type" = "atomic"))]
pub struct LabelSelector {
    /// Labels that must have exactly these values.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(schema_with = "constraints::match_labels")]
    pub match_labels: BTreeMap<String, String>,
    /// Requirements with an operator; all of them must hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 32), extend("x-kubernetes-list-type" = "atomic"))]
    pub match_expressions: Vec<LabelSelectorRequirement>,
}

/// One requirement on one label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, KubeSchema)]
#[x_kube(validation = Rule::new("!(self.operator in ['In', 'NotIn']) || (has(self.values) && self.values.size() > 0)")
    .message("the operators In and NotIn need values; to ask only whether the label is there write Exists or DoesNotExist")
    .field_path(".values")
    .reason(Reason::FieldValueRequired))]
#[x_kube(validation = Rule::new("!(self.operator in ['Exists', 'DoesNotExist']) || !has(self.values) || self.values.size() == 0")
    .message("the operators Exists and DoesNotExist take no values; remove values, or write In or NotIn")
    .field_path(".values")
    .reason(Reason::FieldValueForbidden))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LabelSelectorRequirement {
    /// The label's key, such as `app.kubernetes.io/name`.
    #[schemars(schema_with = "constraints::label_key")]
    pub key: String,
    /// How the label relates to `values`: `In`, `NotIn`, `Exists` or `DoesNotExist`.
    pub operator: LabelSelectorOperator,
    /// The values for `In` and `NotIn`; empty for `Exists` and `DoesNotExist`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "constraints::label_values")]
    pub values: Vec<String>,
}

/// The operators of a label selector, as Kubernetes spells them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum LabelSelectorOperator {
    /// The label's value is one of the values.
    In,
    /// The label is absent or its value is none of the values.
    NotIn,
    /// The label is present.
    Exists,
    /// The label is absent.
    DoesNotExist,
}
