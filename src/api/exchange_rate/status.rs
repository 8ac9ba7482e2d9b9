//! What a run reports about an `ExchangeRate`.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ProviderType;
use crate::api::constraints;

/// The most currencies that one `ExchangeRate` publishes: more than ISO 4217 has.
pub const MOST_QUOTES: usize = 200;

/// What was last observed of an `ExchangeRate`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExchangeRateStatus {
    /// The generation of the `ExchangeRate` that this status is about; an older one means that the
    /// last change hasn't been acted on yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "i64", range(min = 0))]
    pub observed_generation: Option<i64>,
    /// The conditions: `Ready`, whether the last refresh did all that was asked for, and `Fresh`,
    /// whether the published rates are no older than `maxAge`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "constraints::conditions")]
    pub conditions: Vec<Condition>,
    /// The currency whose unit the published rates price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(max = 3))]
    pub base: Option<String>,
    /// The quotes in short: `USD,JPY`, or `USD,JPY,GBP and 27 more`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(max = 256))]
    pub quotes: Option<String>,
    /// The day of the published rates, such as `2026-11-20`; the oldest, if they differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("format" = "date"))]
    pub as_of: Option<String>,
    /// Who gave the published rates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "ProviderType")]
    pub provider: Option<ProviderType>,
    /// The published rates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "constraints::published_rates")]
    pub rates: Vec<PublishedRate>,
    /// When the rates are refreshed next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub next_refresh: Option<String>,
}

/// The price of the base in one currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublishedRate {
    /// The currency's ISO 4217 code.
    #[schemars(length(max = 3))]
    pub quote: String,
    /// How much one unit of the base is in this currency, as a decimal number.
    #[schemars(length(max = 64))]
    pub rate: String,
    /// How much one unit of this currency is in the base, as a decimal number.
    #[schemars(length(max = 64))]
    pub inverse: String,
    /// The day of the rate, such as `2026-11-20`.
    #[schemars(extend("format" = "date"))]
    pub date: String,
}
