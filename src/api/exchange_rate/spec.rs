//! The resource itself: its names, its columns and the fields of its spec.

use std::{borrow::Cow, slice};

use kube::{CustomResource, KubeSchema};
use serde::{Deserialize, Serialize};

use super::{ConfigMapTemplate, ExchangeRateStatus, ProviderType, RateProvider};
use crate::api::constraints;

/// Which rates are published, from whom, and where.
#[derive(CustomResource, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, KubeSchema)]
#[kube(
    group = "copyrator.dev",
    version = "v1alpha1",
    kind = "ExchangeRate",
    plural = "exchangerates",
    singular = "exchangerate",
    shortname = "er",
    category = "copyrator",
    namespaced,
    status = "ExchangeRateStatus",
    derive = "PartialEq",
    doc = "Publishes the exchange rates of currencies in a ConfigMap of its own namespace.",
    // The ConfigMap carries the name as a label, and a label's value has at most 63 characters.
    validation = Rule::new("self.metadata.name.size() <= 63")
        .message("the name of an ExchangeRate has at most 63 characters, because its ConfigMap carries the name as a label; choose a shorter one")
        .field_path(".metadata.name"),
    printcolumn(name = "Base", type_ = "string", json_path = ".spec.base",
        description = "The currency whose unit is priced."),
    printcolumn(name = "Quotes", type_ = "string", json_path = ".status.quotes",
        description = "The currencies in which it is priced."),
    printcolumn(name = "As-Of", type_ = "string", json_path = ".status.asOf",
        description = "The day of the published rates; the oldest, if they differ."),
    printcolumn(name = "Fresh", type_ = "string", json_path = ".status.conditions[?(@.type==\"Fresh\")].status",
        description = "Whether the published rates are no older than maxAge."),
    printcolumn(name = "Age", type_ = "date", json_path = ".metadata.creationTimestamp",
        description = "The time since the ExchangeRate was created."),
    printcolumn(name = "Ready", type_ = "string", json_path = ".status.conditions[?(@.type==\"Ready\")].status",
        priority = 1, description = "Whether the last refresh did all that was asked for."),
    printcolumn(name = "Provider", type_ = "string", json_path = ".status.provider",
        priority = 1, description = "Who gave the published rates."),
    printcolumn(name = "ConfigMap", type_ = "string", json_path = ".spec.configMap.name",
        priority = 1, description = "The name of the ConfigMap, where it isn't that of the ExchangeRate."),
    printcolumn(name = "Schedule", type_ = "string", json_path = ".spec.schedule",
        priority = 1, description = "When the rates are refreshed."),
    printcolumn(name = "Next-Refresh", type_ = "string", json_path = ".status.nextRefresh",
        priority = 1, description = "When the rates are refreshed next."),
    printcolumn(name = "Suspended", type_ = "boolean", json_path = ".spec.suspend",
        priority = 1, description = "Whether the ExchangeRate rests.")
)]
#[x_kube(validation = constraints::quotes_or_currency())]
#[x_kube(validation = constraints::base_among_quotes())]
#[x_kube(validation = constraints::base_as_currency())]
#[x_kube(validation = constraints::history_without_days())]
#[x_kube(validation = constraints::only_keys_of_one_quote())]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExchangeRateSpec {
    /// The currency whose unit is priced, by its ISO 4217 code.
    #[serde(default = "euro")]
    #[schemars(schema_with = "constraints::currency")]
    pub base: String,
    /// The currencies in which the base is priced, by their ISO 4217 codes. Either this or `currency`
    /// is given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "constraints::quotes")]
    pub quotes: Vec<String>,
    /// The only currency in which the base is priced: the same as `quotes` with this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "constraints::currency")]
    pub currency: Option<String>,
    /// Who is asked for the rates, in this order: the next one when one fails or lacks a currency. The
    /// ECB and then Frankfurter when left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "constraints::providers")]
    pub providers: Vec<RateProvider>,
    /// The ConfigMap that publishes the rates.
    #[serde(default, skip_serializing_if = "ConfigMapTemplate::is_default")]
    pub config_map: ConfigMapTemplate,
    /// How many days of rates `history.csv` keeps; 0 keeps none. At most 3660.
    #[serde(default)]
    #[schemars(schema_with = "constraints::history")]
    pub history: u32,
    /// A new rate that differs from the last good one by more than this is taken for a mistake and
    /// refused: a percentage such as `25%` or `7.5%`.
    #[serde(default = "max_change")]
    #[schemars(schema_with = "constraints::max_change")]
    pub max_change: String,
    /// After how many days the rates are stale, counted in the days on which their provider publishes:
    /// for the ECB without weekends and holidays. From 1 to 366.
    #[serde(default = "max_age")]
    #[schemars(schema_with = "constraints::max_age")]
    pub max_age: u32,
    /// When the rates are refreshed, as a cron expression: minute, hour, day of month, month and day of
    /// week, or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`. A time zone may follow:
    /// `0 17 * * 1-5 Europe/Berlin`; without one it is UTC. When left out, the rates are refreshed when
    /// the provider is expected to have new ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "constraints::schedule")]
    pub schedule: Option<String>,
    /// Lets the `ExchangeRate` rest: its ConfigMap stays as it is, and nobody is asked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub suspend: bool,
}

impl ExchangeRateSpec {
    /// Who is asked when no providers are given: the ECB, whose rates are official, and Frankfurter, which
    /// knows more currencies.
    pub const DEFAULT_PROVIDERS: [ProviderType; 2] = [ProviderType::Ecb, ProviderType::Frankfurter];

    /// A spec with these quotes, and everything else by default.
    pub fn of_quotes(quotes: Vec<String>) -> Self {
        Self {
            base: euro(),
            quotes,
            currency: None,
            providers: Vec::new(),
            config_map: ConfigMapTemplate::default(),
            history: 0,
            max_change: max_change(),
            max_age: max_age(),
            schedule: None,
            suspend: false,
        }
    }

    /// The quotes, whether they were written as `quotes` or as `currency`.
    pub fn quotes(&self) -> &[String] {
        self.currency.as_ref().map_or(&self.quotes, slice::from_ref)
    }

    /// Who is asked, in this order: those that were written, or the default ones.
    pub fn providers(&self) -> Cow<'_, [RateProvider]> {
        if self.providers.is_empty() {
            Self::DEFAULT_PROVIDERS
                .map(RateProvider::from)
                .to_vec()
                .into()
        } else {
            self.providers.as_slice().into()
        }
    }
}

fn euro() -> String {
    "EUR".to_owned()
}

fn max_change() -> String {
    "25%".to_owned()
}

const fn max_age() -> u32 {
    3
}
