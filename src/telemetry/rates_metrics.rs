//! What is counted and measured of exchange rates.

use std::borrow::Cow;

use prometheus_client::{
    metrics::{counter::Counter, family::Family, gauge::Gauge},
    registry::Registry,
};

type Labels = Vec<(&'static str, Cow<'static, str>)>;

/// What is counted and measured of exchange rates.
#[derive(Debug, Default)]
pub struct RatesMetrics {
    answers: Family<Labels, Counter>,
    day: Family<Labels, Gauge>,
    ready: Family<Labels, Gauge>,
}

impl RatesMetrics {
    /// Nothing has happened yet.
    pub fn new(registry: &mut Registry) -> Self {
        let metrics = Self::default();
        registry.register(
            "provider_answers",
            "Answers of providers of exchange rates, by why there were no rates in them, if so",
            metrics.answers.clone(),
        );
        registry.register(
            "rates_day_timestamp_seconds",
            "The day of the rates that an ExchangeRate publishes, as the Unix time of its beginning in UTC",
            metrics.day.clone(),
        );
        registry.register(
            "rates_ready",
            "1 for an ExchangeRate that has all that it asks for, else 0",
            metrics.ready.clone(),
        );
        metrics
    }

    /// A provider has answered, or failed for this reason.
    pub fn count_answer(&self, provider: &'static str, failure: Option<&'static str>) {
        let labels = vec![
            ("provider", provider.into()),
            ("failure", failure.unwrap_or_default().into()),
        ];
        self.answers.get_or_create(&labels).inc();
    }

    /// An `ExchangeRate` publishes the rates of a day, if any, and is ready or not.
    pub fn set_state(&self, namespace: &str, name: &str, day: Option<i64>, is_ready: bool) {
        let labels = of_rate(namespace, name);
        self.ready.get_or_create(&labels).set(is_ready.into());
        match day {
            Some(day) => {
                self.day.get_or_create(&labels).set(day);
            }
            None => {
                self.day.remove(&labels);
            }
        }
    }

    /// An `ExchangeRate` is gone.
    pub fn forget(&self, namespace: &str, name: &str) {
        let labels = of_rate(namespace, name);
        self.day.remove(&labels);
        self.ready.remove(&labels);
    }
}

fn of_rate(namespace: &str, name: &str) -> Labels {
    vec![
        ("namespace", namespace.to_owned().into()),
        ("name", name.to_owned().into()),
    ]
}
