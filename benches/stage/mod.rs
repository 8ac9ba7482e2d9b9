//! The cluster that everything is measured on: its control plane, its user, and what it holds.

mod arrivals;
mod content;
mod copies;
mod going;
mod provider;
mod rates;
mod relay;
mod server_cpu;
mod start;
mod user;

pub use copies::Template;
pub use provider::RateProvider;
pub use rates::RatesTemplate;
pub use relay::Relayed;
pub use start::Stage;
