//! Exchange rates: from what providers say to the ConfigMaps that publish it.

mod calendar;
mod cross;
mod currency;
mod division;
#[cfg(test)]
mod fixtures;
pub mod provider;
mod quotations;
mod rate;

pub use calendar::Calendar;
pub use cross::{Cross, Leg};
pub use currency::{Currency, UnknownCurrency};
pub use quotations::Quotations;
pub use rate::{Rate, RateError};
