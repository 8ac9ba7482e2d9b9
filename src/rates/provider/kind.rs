//! Which providers there are, by the names that specs use.

use std::{fmt, str::FromStr};

use super::{
    Provider, ecb::Ecb, exchangerate_host::ExchangeRateHost, frankfurter::Frankfurter,
    frankfurter_v1::FrankfurterV1, open_er_api::OpenErApi, open_exchange_rates::OpenExchangeRates,
    url::SimpleUrl,
};

/// A provider of rates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProviderKind {
    /// The European Central Bank's reference rates, as XML.
    Ecb,
    /// Frankfurter's second version: some 200 currencies of many central banks.
    Frankfurter,
    /// Frankfurter's first version: the European Central Bank's rates as JSON.
    FrankfurterV1,
    /// The open access of exchangerate-api.com.
    OpenErApi,
    /// openexchangerates.org, which wants a key.
    OpenExchangeRates,
    /// exchangerate.host, which wants a key.
    ExchangeRateHost,
    /// Any address that answers in our own form of JSON or CSV.
    Url,
}

/// A name that no provider has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no provider; the providers are {names}", names = names())]
pub struct UnknownProvider(pub String);

impl ProviderKind {
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

    /// The name in specs.
    pub fn name(self) -> &'static str {
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

    /// How it is asked and understood.
    pub fn provider(self) -> &'static dyn Provider {
        match self {
            Self::Ecb => &Ecb,
            Self::Frankfurter => &Frankfurter,
            Self::FrankfurterV1 => &FrankfurterV1,
            Self::OpenErApi => &OpenErApi,
            Self::OpenExchangeRates => &OpenExchangeRates,
            Self::ExchangeRateHost => &ExchangeRateHost,
            Self::Url => &SimpleUrl,
        }
    }
}

fn names() -> String {
    ProviderKind::ALL.map(ProviderKind::name).join(", ")
}

impl FromStr for ProviderKind {
    type Err = UnknownProvider;

    fn from_str(name: &str) -> Result<Self, UnknownProvider> {
        let mut kinds = Self::ALL.into_iter();
        kinds
            .find(|kind| kind.name() == name)
            .ok_or_else(|| UnknownProvider(name.to_owned()))
    }
}

impl fmt::Display for ProviderKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for kind in ProviderKind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
            assert_eq!(kind.provider().kind(), kind);
        }
    }

    #[test]
    fn another_name_is_refused_with_all_that_there_are() {
        let error = "ecb".parse::<ProviderKind>().unwrap_err().to_string();
        assert_eq!(
            error,
            "\"ecb\" is no provider; the providers are ECB, Frankfurter, FrankfurterV1, OpenERAPI, \
             OpenExchangeRates, ExchangeRateHost, URL"
        );
    }
}
