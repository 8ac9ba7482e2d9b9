//! The names of the keys that rates are published under.

use crate::api::PublishedKey;

/// All that may be published.
pub(super) const ALL: [PublishedKey; 8] = [
    PublishedKey::Rate,
    PublishedKey::Inverse,
    PublishedKey::Date,
    PublishedKey::Quotes,
    PublishedKey::RatesJson,
    PublishedKey::RatesEnv,
    PublishedKey::RatesCsv,
    PublishedKey::HistoryCsv,
];

/// The name in manifests, which is that of the key in the ConfigMap, too. Only `quotes` stands for others.
pub(super) const fn name(key: PublishedKey) -> &'static str {
    match key {
        PublishedKey::Rate => "rate",
        PublishedKey::Inverse => "inverse",
        PublishedKey::Date => "date",
        PublishedKey::Quotes => "quotes",
        PublishedKey::RatesJson => "rates.json",
        PublishedKey::RatesEnv => "rates.env",
        PublishedKey::RatesCsv => "rates.csv",
        PublishedKey::HistoryCsv => "history.csv",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_those_of_manifests() {
        for key in ALL {
            assert_eq!(serde_json::to_value(key).unwrap(), name(key));
        }
    }
}
