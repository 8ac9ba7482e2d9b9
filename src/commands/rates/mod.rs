//! `kubectl copyrator rates`: exchange rates.

mod ask;
mod chart;
mod error;
mod get;
mod pairs;
mod run;
mod sources;

pub use error::RatesError;
pub use run::run;
