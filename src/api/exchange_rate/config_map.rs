//! The ConfigMap that publishes rates.

use std::collections::BTreeMap;

use kube::KubeSchema;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::api::constraints;

/// The ConfigMap that publishes the rates: its name, its marks and what is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, KubeSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConfigMapTemplate {
    /// The name of the ConfigMap; that of the `ExchangeRate` when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "constraints::config_map_name")]
    pub name: Option<String>,
    /// Labels that the ConfigMap gets, besides those by which it is known as ours.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(schema_with = "constraints::published_labels")]
    pub labels: BTreeMap<String, String>,
    /// Annotations that the ConfigMap gets.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(schema_with = "constraints::published_annotations")]
    pub annotations: BTreeMap<String, String>,
    /// What is written into the ConfigMap; everything when left out. `rate` and `inverse`, of a
    /// single quote only; `date`, the day of the rates, of several the oldest; `quotes`, two keys for
    /// each quote, such as `USD` and `USD_INVERSE`; `rates.json`, `rates.env`, `rates.csv`, all the
    /// rates as a file; and `history.csv`, which needs `history`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "constraints::published_keys")]
    pub keys: Vec<PublishedKey>,
}

/// Something that a ConfigMap of rates holds.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub enum PublishedKey {
    /// How much one unit of the base is in the quote; of a single quote only.
    #[serde(rename = "rate")]
    Rate,
    /// How much one unit of the quote is in the base; of a single quote only.
    #[serde(rename = "inverse")]
    Inverse,
    /// The day of the rates; of several the oldest.
    #[serde(rename = "date")]
    Date,
    /// A key of its own for each quote and its inverse: `USD`, `USD_INVERSE`.
    #[serde(rename = "quotes")]
    Quotes,
    /// All the rates as JSON.
    #[serde(rename = "rates.json")]
    RatesJson,
    /// All the rates as lines that a shell reads.
    #[serde(rename = "rates.env")]
    RatesEnv,
    /// All the rates as CSV.
    #[serde(rename = "rates.csv")]
    RatesCsv,
    /// The rates of the last days as CSV.
    #[serde(rename = "history.csv")]
    HistoryCsv,
}

impl ConfigMapTemplate {
    /// Whether nothing is said, so that all is as usual.
    pub fn is_default(&self) -> bool {
        self == &Self::default()
    }

    /// Whether something is to be written, as far as there is any of it.
    pub fn publishes(&self, key: PublishedKey) -> bool {
        self.keys.is_empty() || self.keys.contains(&key)
    }
}
