//! From the names that specs use to the providers.

use std::{fmt, str::FromStr};

use super::{
    Provider, ecb::Ecb, exchangerate_host::ExchangeRateHost, frankfurter::Frankfurter,
    frankfurter_v1::FrankfurterV1, open_er_api::OpenErApi, open_exchange_rates::OpenExchangeRates,
    url::SimpleUrl,
};
use crate::api::ProviderType;

/// A name that no provider has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no provider; the providers are {names}", names = names())]
pub struct UnknownProvider(pub String);

impl ProviderType {
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
    ProviderType::ALL.map(ProviderType::name).join(", ")
}

impl FromStr for ProviderType {
    type Err = UnknownProvider;

    fn from_str(name: &str) -> Result<Self, UnknownProvider> {
        let mut kinds = Self::ALL.into_iter();
        kinds
            .find(|kind| kind.name() == name)
            .ok_or_else(|| UnknownProvider(name.to_owned()))
    }
}

impl fmt::Display for ProviderType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for kind in ProviderType::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
            assert_eq!(kind.provider().kind(), kind);
        }
    }

    #[test]
    fn another_name_is_refused_with_all_that_there_are() {
        let error = "ecb".parse::<ProviderType>().unwrap_err().to_string();
        assert_eq!(
            error,
            "\"ecb\" is no provider; the providers are ECB, Frankfurter, FrankfurterV1, OpenERAPI, \
             OpenExchangeRates, ExchangeRateHost, URL"
        );
    }
}
