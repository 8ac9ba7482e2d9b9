//! What is measured of exchange rates and of those who give them.

use prometheus_client::registry::{Registry, Unit};

use super::metrics::{Counters, Gauges, Labels, labels, registered};

/// What is measured of exchange rates and of those who give them.
#[derive(Clone, Debug)]
pub struct RateMetrics {
    answers: Counters,
    last_answers: Gauges,
    as_of: Gauges,
    stale: Gauges,
    ready: Gauges,
}

/// How one `ExchangeRate` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateMeasure {
    /// The beginning of the day of the rates that are published, in seconds since 1970; none without any.
    pub as_of: Option<i64>,
    /// Whether they are too old.
    pub is_stale: bool,
    /// Whether it has all that it asks for.
    pub is_ready: bool,
}

impl RateMetrics {
    pub(super) fn registered_in(registry: &mut Registry) -> Self {
        Self {
            answers: registered(
                registry,
                "provider_answers",
                "Times a provider was asked for rates; the reason is empty where it gave some",
                Counters::default(),
            ),
            last_answers: seconds(
                registry,
                "provider_last_answer_timestamp",
                "When a provider last gave rates",
            ),
            as_of: seconds(
                registry,
                "exchange_rate_as_of_timestamp",
                "The day of the rates that are published, the oldest of them",
            ),
            stale: registered(
                registry,
                "exchange_rate_stale",
                "1 if the rates that are published are older than allowed, else 0",
                Gauges::default(),
            ),
            ready: registered(
                registry,
                "exchange_rate_ready",
                "1 if an ExchangeRate has all that it asks for, else 0",
                Gauges::default(),
            ),
        }
    }

    /// A provider was asked, and gave rates or failed for this reason; `at` is in seconds since 1970.
    pub fn count_answer(&self, provider: &'static str, failure: Option<&'static str>, at: i64) {
        let by_provider = labels([("provider", provider.into())]);
        let reason = failure.unwrap_or_default();
        let by_reason = labels([("provider", provider.into()), ("reason", reason.into())]);
        self.answers.get_or_create(&by_reason).inc();
        if failure.is_none() {
            self.last_answers.get_or_create(&by_provider).set(at);
        }
    }

    /// How the `ExchangeRate` of this name in a namespace is.
    pub fn set(&self, namespace: &str, name: &str, measure: RateMeasure) {
        let labels = of_rate(namespace, name);
        match measure.as_of {
            Some(as_of) => {
                self.as_of.get_or_create(&labels).set(as_of);
            }
            None => {
                self.as_of.remove(&labels);
            }
        }
        self.stale
            .get_or_create(&labels)
            .set(measure.is_stale.into());
        self.ready
            .get_or_create(&labels)
            .set(measure.is_ready.into());
    }

    /// The `ExchangeRate` is gone, and isn't measured any more.
    pub fn remove(&self, namespace: &str, name: &str) {
        let labels = of_rate(namespace, name);
        for gauges in [&self.as_of, &self.stale, &self.ready] {
            gauges.remove(&labels);
        }
    }

    /// Nothing is known of any `ExchangeRate` any more: somebody else looks after them.
    pub fn clear(&self) {
        for gauges in [&self.as_of, &self.stale, &self.ready] {
            gauges.clear();
        }
    }
}

fn of_rate(namespace: &str, name: &str) -> Labels {
    labels([
        ("namespace", namespace.to_owned().into()),
        ("name", name.to_owned().into()),
    ])
}

/// Registers gauges of whole seconds.
fn seconds(registry: &mut Registry, name: &str, help: &str) -> Gauges {
    let gauges = Gauges::default();
    registry.register_with_unit(name, help, Unit::Seconds, gauges.clone());
    gauges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telemetry::Metrics;

    const OF_EUR: &str = "{namespace=\"shop\",name=\"eur\"}";

    fn lines(metrics: &Metrics) -> Vec<String> {
        let text = metrics.render();
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.map(ToOwned::to_owned).collect()
    }

    #[test]
    fn providers_are_counted_and_the_last_time_that_they_gave_rates_is_kept() {
        let metrics = Metrics::new("0");
        metrics.rates.count_answer("ECB", None, 100);
        metrics.rates.count_answer("ECB", Some("Unreachable"), 200);
        let lines = lines(&metrics);
        for line in [
            "copyrator_provider_answers_total{provider=\"ECB\",reason=\"\"} 1",
            "copyrator_provider_answers_total{provider=\"ECB\",reason=\"Unreachable\"} 1",
            "copyrator_provider_last_answer_timestamp_seconds{provider=\"ECB\"} 100",
        ] {
            assert!(
                lines.iter().any(|found| found == line),
                "no {line} in {lines:#?}"
            );
        }
    }

    #[test]
    fn an_exchange_rate_is_measured_until_it_is_gone() {
        let metrics = Metrics::new("0");
        let measure = RateMeasure {
            as_of: Some(86_400),
            is_stale: true,
            is_ready: false,
        };
        metrics.rates.set("shop", "eur", measure);
        let measured = lines(&metrics);
        for line in [
            format!("copyrator_exchange_rate_as_of_timestamp_seconds{OF_EUR} 86400"),
            format!("copyrator_exchange_rate_stale{OF_EUR} 1"),
            format!("copyrator_exchange_rate_ready{OF_EUR} 0"),
        ] {
            assert!(measured.contains(&line), "no {line} in {measured:#?}");
        }
        metrics.rates.remove("shop", "eur");
        assert!(!metrics.render().contains(OF_EUR));
        metrics.rates.set("shop", "eur", measure);
        metrics.rates.clear();
        assert!(!metrics.render().contains(OF_EUR));
    }
}
