//! Exchange rates: from what providers say to the ConfigMaps that publish it.

mod calendar;
mod currency;
pub mod provider;
mod quotations;
mod rate;

pub use calendar::Calendar;
pub use currency::{Currency, UnknownCurrency};
pub use quotations::Quotations;
pub use rate::{Rate, RateError};
