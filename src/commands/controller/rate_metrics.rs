//! Measures how providers and rates are, for as long as this process looks after them.

use jiff::{Timestamp, civil::Date, tz::TimeZone};

use crate::{
    rates::{Answered, Freshness, RateState, RatesMonitor},
    reconcile::Owner,
    telemetry::{RateMeasure, RateMetrics},
};

/// Measures how providers and rates are.
pub struct MeasuredRates<'a>(&'a RateMetrics);

impl<'a> MeasuredRates<'a> {
    /// Measures by `metrics`.
    pub fn new(metrics: &'a RateMetrics) -> Self {
        Self(metrics)
    }
}

impl RatesMonitor for MeasuredRates<'_> {
    fn answered(&mut self, answered: &Answered) {
        let at = answered.at.as_second();
        self.0
            .count_answer(answered.provider.name(), answered.failure, at);
    }

    fn state(&mut self, owner: &Owner, state: &RateState) {
        let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
        let measure = RateMeasure {
            as_of: state.as_of.map(midnight),
            is_stale: matches!(state.freshness(today), Some(Freshness::Stale { .. })),
            is_ready: state.is_ready,
        };
        let (namespace, name) = place(owner);
        self.0.set(namespace, name, measure);
    }

    fn gone(&mut self, owner: &Owner) {
        let (namespace, name) = place(owner);
        self.0.remove(namespace, name);
    }
}

/// Whoever looks after them next measures them.
impl Drop for MeasuredRates<'_> {
    fn drop(&mut self) {
        self.0.clear();
    }
}

fn place(owner: &Owner) -> (&str, &str) {
    let namespace = owner.namespace.as_ref();
    (
        namespace.map_or("", |namespace| namespace.as_str()),
        &owner.name,
    )
}

/// A day's beginning in UTC, in seconds since 1970.
fn midnight(day: Date) -> i64 {
    let midnight = day.to_zoned(TimeZone::UTC);
    midnight.map_or(0, |midnight| midnight.timestamp().as_second())
}
