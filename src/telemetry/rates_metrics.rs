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
    last_answer: Family<Labels, Gauge>,
    day: Family<Labels, Gauge>,
    stale: Family<Labels, Gauge>,
    ready: Family<Labels, Gauge>,
}

/// How one `ExchangeRate` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateMeasure {
    /// The beginning of the day of the rates that it publishes, in seconds since 1970; none without any.
    pub day: Option<i64>,
    /// Whether they are older than allowed.
    pub is_stale: bool,
    /// Whether it has all that it asks for.
    pub is_ready: bool,
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
            "provider_last_answer_timestamp_seconds",
            "When a provider last gave rates, as Unix time",
            metrics.last_answer.clone(),
        );
        registry.register(
            "rates_day_timestamp_seconds",
            "The day of the rates that an ExchangeRate publishes, as the Unix time of its beginning in UTC",
            metrics.day.clone(),
        );
        registry.register(
            "rates_stale",
            "1 for an ExchangeRate whose rates are older than allowed, else 0",
            metrics.stale.clone(),
        );
        registry.register(
            "rates_ready",
            "1 for an ExchangeRate that has all that it asks for, else 0",
            metrics.ready.clone(),
        );
        metrics
    }

    /// A provider has answered at this time, in seconds since 1970, or failed for this reason.
    pub fn count_answer(&self, provider: &'static str, failure: Option<&'static str>, at: i64) {
        let mut labels: Labels = vec![("provider", provider.into())];
        if failure.is_none() {
            self.last_answer.get_or_create(&labels).set(at);
        }
        labels.push(("failure", failure.unwrap_or_default().into()));
        self.answers.get_or_create(&labels).inc();
    }

    /// How an `ExchangeRate` is.
    pub fn set_state(&self, namespace: &str, name: &str, measure: RateMeasure) {
        let labels = of_rate(namespace, name);
        let RateMeasure {
            day,
            is_stale,
            is_ready,
        } = measure;
        self.ready.get_or_create(&labels).set(is_ready.into());
        self.stale.get_or_create(&labels).set(is_stale.into());
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
        for states in self.states() {
            states.remove(&labels);
        }
    }

    /// From now on somebody else looks after all of them, and tells how they are.
    pub fn forget_all(&self) {
        for states in self.states() {
            states.clear();
        }
    }

    fn states(&self) -> [&Family<Labels, Gauge>; 3] {
        [&self.day, &self.stale, &self.ready]
    }
}

fn of_rate(namespace: &str, name: &str) -> Labels {
    vec![
        ("namespace", namespace.to_owned().into()),
        ("name", name.to_owned().into()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telemetry::Metrics;

    const OF_EUR: &str = "{namespace=\"shop\",name=\"eur\"}";

    fn has_line(metrics: &Metrics, line: &str) {
        let text = metrics.render();
        assert!(
            text.lines().any(|found| found == line),
            "no {line} in\n{text}"
        );
    }

    #[test]
    fn a_failure_does_not_change_when_a_provider_last_gave_rates() {
        let metrics = Metrics::new("0");
        metrics.rates.count_answer("ECB", None, 100);
        metrics.rates.count_answer("ECB", Some("Unreachable"), 200);
        for line in [
            "copyrator_provider_answers_total{provider=\"ECB\",failure=\"\"} 1",
            "copyrator_provider_answers_total{provider=\"ECB\",failure=\"Unreachable\"} 1",
            "copyrator_provider_last_answer_timestamp_seconds{provider=\"ECB\"} 100",
        ] {
            has_line(&metrics, line);
        }
    }

    #[test]
    fn an_exchange_rate_is_measured_until_it_is_gone_or_somebody_elses() {
        let metrics = Metrics::new("0");
        let measure = RateMeasure {
            day: Some(86_400),
            is_stale: true,
            is_ready: false,
        };
        for end in [
            |rates: &RatesMetrics| rates.forget("shop", "eur"),
            RatesMetrics::forget_all,
        ] {
            metrics.rates.set_state("shop", "eur", measure);
            for line in ["day_timestamp_seconds{} 86400", "stale{} 1", "ready{} 0"] {
                let line = format!("copyrator_rates_{}", line.replace("{}", OF_EUR));
                has_line(&metrics, &line);
            }
            end(&metrics.rates);
            assert!(!metrics.render().contains(OF_EUR));
        }
    }
}
