//! The rates that a ConfigMap holds: the last good ones.

use std::collections::BTreeMap;

use super::{Damage, csv, env, json, key};
use crate::{
    api::PublishedKey,
    rates::{Currency, History, RateSheet, Row, provider::Excerpt},
};

/// What could be read of the data of a ConfigMap.
#[derive(Debug)]
pub struct Published {
    /// The rates with their history, if there is a key that tells them with their base: `rates.json`,
    /// `rates.csv`, `rates.env` or `history.csv`, in this order. The other keys don't name the base.
    pub sheet: Option<RateSheet>,
    /// The keys that can't be read: somebody else wrote or changed them. They count as absent.
    pub damaged: Vec<DamagedKey>,
}

/// A key that can't be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {}", key::name(*.key), Excerpt::of_ours(&.damage.to_string()))]
pub struct DamagedKey {
    /// Which one.
    pub key: PublishedKey,
    /// Why not.
    #[source]
    pub damage: Damage,
}

type Reader = fn(&str) -> Result<RateSheet, Damage>;

const READERS: [(PublishedKey, Reader); 4] = [
    (PublishedKey::RatesJson, json::read),
    (PublishedKey::RatesCsv, |text| Ok(csv::read_rates(text)?)),
    (PublishedKey::RatesEnv, env::read),
    (PublishedKey::HistoryCsv, |text| {
        Ok(latest(csv::history_from_csv(text)?)?)
    }),
];

impl Published {
    /// Reads what was published.
    pub fn read(data: &BTreeMap<String, String>) -> Self {
        let mut published = Self {
            sheet: None,
            damaged: Vec::new(),
        };
        for (key, reader) in READERS {
            match data.get(key::name(key)).map(|text| reader(text)) {
                Some(Ok(sheet)) => published.add(sheet),
                Some(Err(damage)) => published.damaged.push(DamagedKey { key, damage }),
                None => {}
            }
        }
        published
    }

    /// The first one counts; the last one may add its history.
    fn add(&mut self, sheet: RateSheet) {
        self.sheet = Some(match self.sheet.take() {
            None => sheet,
            Some(first) => first.with_history(sheet.history().clone()),
        });
    }
}

/// The sheet of a history: each quote's newest rate.
fn latest(history: History) -> Result<RateSheet, csv::CsvDamage> {
    let mut rows: BTreeMap<Currency, Row> = BTreeMap::new();
    for (date, rates) in history.days() {
        rows.extend(
            rates
                .iter()
                .map(|(quote, cross)| (*quote, Row::new(*date, *cross))),
        );
    }
    let sheet = RateSheet::from_rows(history.base(), rows).ok_or(csv::CsvDamage::Empty)?;
    Ok(sheet.with_history(history))
}

#[cfg(test)]
#[path = "published_tests.rs"]
mod tests;
