//! Why published rates can't be read back: somebody else wrote or changed them.

use jiff::civil::Date;

use super::CsvDamage;
use crate::rates::{Currency, RateError, UnknownCurrency};

/// Why published rates can't be read back.
#[derive(Debug, thiserror::Error)]
pub enum Damage {
    /// It isn't JSON of the published shape.
    #[error("it is not the JSON that is published: {0}")]
    Json(#[from] serde_json::Error),
    /// A line has no equals sign.
    #[error("line {0} is not NAME=VALUE")]
    Line(usize),
    /// Something that is always written isn't there.
    #[error("it has no {0}")]
    Lacks(String),
    /// Something is there that is never written.
    #[error("it has {0}, which is never written")]
    Extra(String),
    /// A code that names no currency.
    #[error(transparent)]
    Currency(#[from] UnknownCurrency),
    /// A rate that isn't written as ours are.
    #[error("{0}: {1}")]
    Rate(Currency, #[source] RateError),
    /// A day that isn't written as ours are.
    #[error("{0:?} is not a date such as 2026-11-20")]
    Date(String),
    /// The date isn't that of the oldest rate.
    #[error("its date is {date}, but the oldest rate is of {oldest}")]
    AsOf {
        /// The date of all rates.
        date: Date,
        /// The date of the oldest rate.
        oldest: Date,
    },
    /// A table that can't be read.
    #[error(transparent)]
    Csv(#[from] CsvDamage),
}

/// Reads a date as it is published. The library would take other forms, too.
pub(super) fn date(text: &str) -> Result<Date, Damage> {
    let date: Option<Date> = text.parse().ok();
    date.filter(|date| date.to_string() == text)
        .ok_or_else(|| Damage::Date(text.to_owned()))
}
