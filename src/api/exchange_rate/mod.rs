//! The `ExchangeRate`: which currencies' rates are published in a ConfigMap, and who is asked for them.
//!
//! The doc comments of the fields are what `kubectl explain exchangerate.spec` shows.

mod config_map;
mod provider;
mod schedule;
mod spec;
mod status;

pub use self::{
    config_map::{ConfigMapTemplate, PublishedKey},
    provider::{ProviderType, RateProvider, SecretKeyRef},
    schedule::{Schedule, ScheduleError},
    spec::{ExchangeRate, ExchangeRateSpec},
    status::{ExchangeRateStatus, MOST_QUOTES, PublishedRate},
};
