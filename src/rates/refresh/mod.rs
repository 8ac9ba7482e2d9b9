//! Exchange rates as a domain of the engine: from `ExchangeRate`s and what providers say to the ConfigMaps
//! that publish it.

mod collections;
mod continuous;
mod due;
mod exchange_rates;
mod fact;
mod findings;
mod last_good;
mod load;
mod loaded;
mod monitor;
mod outlook;
mod prospects;
mod published;
mod reading;
mod search;
mod source;
mod status;
mod verdict;
mod wish;

pub use continuous::Refreshing;
pub use exchange_rates::{EXCHANGE_RATE_OWNERS, ExchangeRates, RatesError, Setting};
pub use load::ClusterRates;
pub use monitor::{Answered, RateState, RatesMonitor};
pub use source::{EXCHANGE_RATES, RateSource};
