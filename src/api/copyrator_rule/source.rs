//! Which objects are copied.

use kube::KubeSchema;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::api::{LabelSelector, constraints};

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
