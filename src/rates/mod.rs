//! Exchange rates: from what providers say to the ConfigMaps that publish it.

mod backfill;
mod calendar;
mod cross;
mod currency;
mod division;
#[cfg(test)]
mod fixtures;
mod history;
mod pairs;
pub mod provider;
mod publication;
mod quotations;
mod rate;
mod sheet;

pub use backfill::missing_since;
pub use calendar::Calendar;
pub use cross::{Cross, Leg};
pub use currency::{Currency, UnknownCurrency};
pub use history::{History, Window};
pub use pairs::Pairs;
pub use publication::{
    CsvDamage, Damage, DamagedKey, MOST_BYTES, Published, TooLarge, data, history_from_csv,
};
pub use quotations::Quotations;
pub use rate::{Rate, RateError};
pub use sheet::{NoRates, RateSheet, Row};
