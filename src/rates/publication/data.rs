//! What a ConfigMap of rates holds.

use std::collections::BTreeMap;

use jiff::civil::Date;

use super::{csv, env, json, key};
use crate::{
    api::{ConfigMapTemplate, PublishedKey},
    rates::{Currency, RateSheet, Row},
};

/// The most bytes that the values of a ConfigMap may have together.
/// Source: `MaxSecretSize` of Kubernetes' `pkg/apis/core/types.go`, which is for ConfigMaps, too.
pub const MOST_BYTES: usize = 1024 * 1024;

/// What is published is larger than a ConfigMap may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the rates take {bytes} bytes, more than the {MOST_BYTES} that a ConfigMap holds; \
     {}", way_out(*.days)
)]
pub struct TooLarge {
    /// What all values take.
    pub bytes: usize,
    /// How many calendar days of history fit, with room for longer numbers.
    pub days: u16,
}

fn way_out(days: u16) -> String {
    match days {
        0 => "name fewer quotes, or publish fewer keys".to_owned(),
        days => format!("about {days} days of history fit, or name fewer quotes"),
    }
}

/// The data of a ConfigMap: equal rates make equal bytes.
///
/// `rate` and `inverse` are written of a single quote only, and `history.csv` only if a history is kept.
pub fn data(
    sheet: &RateSheet,
    template: &ConfigMapTemplate,
) -> Result<BTreeMap<String, String>, TooLarge> {
    let keys = key::ALL.into_iter();
    let data: BTreeMap<String, String> = keys
        .filter(|published| template.publishes(*published))
        .flat_map(|published| values(sheet, published))
        .collect();
    let bytes = data.values().map(String::len).sum();
    if bytes <= MOST_BYTES {
        return Ok(data);
    }
    let history = data.get(key::name(PublishedKey::HistoryCsv));
    Err(TooLarge {
        bytes,
        days: history.map_or(0, |history| fitting(sheet, history, bytes)),
    })
}

/// The keys, with their values, that one choice stands for.
fn values(sheet: &RateSheet, published: PublishedKey) -> Vec<(String, String)> {
    let single = single(sheet);
    let value = match published {
        PublishedKey::Rate => single.map(|row| row.rate.to_string()),
        PublishedKey::Inverse => single.map(|row| row.inverse.to_string()),
        PublishedKey::Date => Some(sheet.as_of().to_string()),
        PublishedKey::Quotes => return sheet.rows().iter().flat_map(of_quote).collect(),
        PublishedKey::RatesJson => Some(json::rates(sheet)),
        PublishedKey::RatesEnv => Some(env::rates(sheet)),
        PublishedKey::RatesCsv => Some(csv::rates(sheet)),
        PublishedKey::HistoryCsv => {
            let history = sheet.history();
            (!history.days().is_empty()).then(|| csv::history(history))
        }
    };
    let named = value.map(|value| (key::name(published).to_owned(), value));
    named.into_iter().collect()
}

/// The only row, if there is only one.
fn single(sheet: &RateSheet) -> Option<&Row> {
    let mut rows = sheet.rows().values();
    rows.next().filter(|_| rows.next().is_none())
}

fn of_quote((quote, row): (&Currency, &Row)) -> [(String, String); 2] {
    [
        (quote.to_string(), row.rate.to_string()),
        (format!("{quote}{}", env::INVERSE), row.inverse.to_string()),
    ]
}

/// How many days of history fit besides everything else. A tenth stays free: other days' numbers may be
/// longer.
fn fitting(sheet: &RateSheet, history: &str, bytes: usize) -> u16 {
    let room = (MOST_BYTES / 10 * 9).saturating_sub(bytes - history.len());
    let mut taken = 0;
    let newest_first = history.lines().rev();
    let fitting = newest_first.take_while(|line| {
        taken += line.len() + 1;
        taken <= room
    });
    let oldest: Option<Date> = fitting
        .filter_map(|line| line.split(',').next()?.parse().ok())
        .last();
    // The day that is cut off in the middle doesn't fit: so the difference is the number of days.
    let days = oldest.map_or(0, |oldest| (sheet.newest() - oldest).get_days());
    u16::try_from(days).unwrap_or(u16::MAX)
}

#[cfg(test)]
#[path = "data_tests.rs"]
mod tests;
