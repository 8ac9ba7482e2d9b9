//! Where copies go, and what they are called there.

use kube::KubeSchema;
use serde::{Deserialize, Serialize};

use crate::api::{LabelSelector, constraints};

/// The namespaces that get copies, and the copies' name: at least one of `namespaces` and
/// `selector` is given; with both, both must hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, KubeSchema)]
#[x_kube(validation = Rule::new("(has(self.namespaces) && self.namespaces.size() > 0) || has(self.selector)")
    .message("target needs namespaces or a selector; to copy to every namespace write namespaces: [\"*\"]")
    .reason(Reason::FieldValueRequired))]
#[x_kube(validation = constraints::no_namespace_left())]
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
    /// The name of a copy. `{name}` stands for the name of its original, and `{namespace}` for the
    /// namespace of its original: `{namespace}-{name}`, `imported.{name}`. Where two originals would
    /// have the same copy, one gets it and the other is reported.
    #[serde(default = "same_name")]
    #[schemars(schema_with = "constraints::name_template")]
    pub name: String,
}

fn same_name() -> String {
    "{name}".to_owned()
}
