//! Exchange rates: from what providers say to the ConfigMaps that publish it.

mod amount;
mod backfill;
mod calendar;
mod cross;
mod currency;
mod division;
#[cfg(test)]
mod fixtures;
mod freshness;
mod history;
mod judgement;
mod pairs;
mod percent;
pub mod provider;
mod publication;
mod quotations;
mod rate;
mod refresh;
mod rights;
mod sheet;

pub use amount::{Amount, AmountError};
pub use backfill::missing_since;
pub use calendar::Calendar;
pub use cross::{Cross, Leg};
pub use currency::{Currency, UnknownCurrency};
pub use freshness::Freshness;
pub use history::{History, Window};
pub use judgement::{Refusal, judge};
pub use pairs::Pairs;
pub use percent::{Percent, PercentError};
pub use publication::{
    CsvDamage, Damage, DamagedKey, MOST_BYTES, Published, TooLarge, data, history_from_csv,
};
pub use quotations::Quotations;
pub use rate::{Rate, RateError};
pub use refresh::{
    Answered, ClusterRates, EXCHANGE_RATE_OWNERS, EXCHANGE_RATES, ExchangeRates, RateSource,
    RateState, RatesError, RatesMonitor, Refreshing, Setting,
};
pub use rights::{Latitude, any_rates, rates_of_cluster, rates_of_files};
pub use sheet::{NoRates, RateSheet, Row};
