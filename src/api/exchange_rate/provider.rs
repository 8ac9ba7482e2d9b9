//! Who is asked for rates, where and with which key.

use kube::KubeSchema;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::api::constraints;

/// Somebody who publishes exchange rates, and how they are asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, KubeSchema)]
#[x_kube(validation = constraints::url_of_its_own())]
#[x_kube(validation = constraints::file_of_no_service())]
#[x_kube(validation = constraints::key_for_nobody())]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RateProvider {
    /// Who is asked: `ECB` is the European Central Bank, `Frankfurter` api.frankfurter.dev (v2: many
    /// central banks), `FrankfurterV1` its v1 (the ECB's rates), `OpenERAPI` open.er-api.com,
    /// `OpenExchangeRates` openexchangerates.org and `ExchangeRateHost` exchangerate.host, both with a
    /// key, and `URL` whatever answers at `url` in one of the known forms.
    #[serde(rename = "type")]
    pub kind: ProviderType,
    /// Where to ask instead of the provider's own address, such as a mirror of it; http or https. The
    /// type `URL` needs it, and may also read a file: `file:///rates/latest.json`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "constraints::provider_url")]
    pub url: Option<String>,
    /// The Secret with the provider's key, in the namespace of the `ExchangeRate`. Only for
    /// `OpenExchangeRates` and `ExchangeRateHost`, whose key is taken from the environment when this is
    /// left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SecretKeyRef")]
    pub secret_key_ref: Option<SecretKeyRef>,
}

impl From<ProviderType> for RateProvider {
    /// The provider as it is asked by default.
    fn from(kind: ProviderType) -> Self {
        Self {
            kind,
            url: None,
            secret_key_ref: None,
        }
    }
}

/// The services whose answers are understood.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub enum ProviderType {
    /// The reference rates of the European Central Bank: <https://www.ecb.europa.eu/stats/policy_and_exchange_rates/>.
    #[serde(rename = "ECB")]
    Ecb,
    /// The second version of <https://frankfurter.dev>: the rates of many central banks.
    Frankfurter,
    /// The first version of <https://frankfurter.dev>: the rates of the European Central Bank.
    FrankfurterV1,
    /// <https://www.exchangerate-api.com/docs/free>
    #[serde(rename = "OpenERAPI")]
    OpenErApi,
    /// <https://docs.openexchangerates.org>; asks for a key.
    OpenExchangeRates,
    /// <https://exchangerate.host>; asks for a key.
    ExchangeRateHost,
    /// Any address or file with rates in a known form.
    #[serde(rename = "URL")]
    Url,
}

impl ProviderType {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Ecb,
        Self::Frankfurter,
        Self::FrankfurterV1,
        Self::OpenErApi,
        Self::OpenExchangeRates,
        Self::ExchangeRateHost,
        Self::Url,
    ];

    /// The name in manifests.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ecb => "ECB",
            Self::Frankfurter => "Frankfurter",
            Self::FrankfurterV1 => "FrankfurterV1",
            Self::OpenErApi => "OpenERAPI",
            Self::OpenExchangeRates => "OpenExchangeRates",
            Self::ExchangeRateHost => "ExchangeRateHost",
            Self::Url => "URL",
        }
    }

    /// Whether it answers only to those who have a key.
    pub const fn takes_key(self) -> bool {
        matches!(self, Self::OpenExchangeRates | Self::ExchangeRateHost)
    }
}

/// A key of a Secret in the namespace of the `ExchangeRate`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, KubeSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SecretKeyRef {
    /// The name of the Secret.
    #[schemars(schema_with = "constraints::secret_name")]
    pub name: String,
    /// The key in its data.
    #[schemars(schema_with = "constraints::secret_key")]
    pub key: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_those_of_manifests() {
        for kind in ProviderType::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
    }
}
