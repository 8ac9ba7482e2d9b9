//! What a copy takes over from its original.

use std::collections::BTreeMap;

use kube::KubeSchema;
use serde::{Deserialize, Serialize};

use crate::api::constraints;

/// Which keys of `data` and `binaryData` are copied, and under which names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, KubeSchema)]
#[x_kube(validation = constraints::no_key_left())]
#[x_kube(validation = constraints::renamed_but_not_copied())]
#[x_kube(validation = constraints::renamed_onto_another())]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DataSelection {
    /// Globs over the keys that are copied, anchored at both ends: `tls.crt`, `*.pem`,
    /// `{user,pass}*`. All keys when left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "constraints::key_globs")]
    pub include: Vec<String>,
    /// Globs over the keys that are not copied, whatever `include` says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "constraints::key_globs")]
    pub exclude: Vec<String>,
    /// New names of keys, by their names in the original: `old.key: new.key`. `include` and
    /// `exclude` are about the names in the original.
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
    /// Globs over the keys of the labels that are taken over, anchored at both ends: `team`,
    /// `app.kubernetes.io/*`. A `*` matches a `/`, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "constraints::metadata_globs")]
    pub labels: Vec<String>,
    /// Globs over the keys of the annotations that are taken over, as for `labels`.
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
