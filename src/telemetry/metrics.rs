//! What is counted and measured. The names are told in docs/guides/what-to-alert-on.md: people's alerts
//! depend on them.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError, atomic::AtomicU64},
    time::Duration,
};

use prometheus_client::{
    encoding::text::encode,
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram, info::Info},
    registry::{Registry, Unit},
};
use tokio::time::Instant;

use super::rates_metrics::RatesMetrics;

/// The name and the value of each label.
type Labels = Vec<(&'static str, Cow<'static, str>)>;
type Counters = Family<Labels, Counter>;
type Gauges = Family<Labels, Gauge>;
type Histograms = Family<Labels, Histogram>;
/// Times in seconds.
type Ages = Family<Labels, Gauge<f64, AtomicU64>>;

/// From an event to its end: from a Secret at hand to one that waits for an API server that is away.
const REACTIONS: [f64; 13] = [
    0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0,
];

/// From a namespace or two to tens of thousands of objects.
const PASSES: [f64; 10] = [0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0, 300.0];

/// What is counted and measured.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    reconciles: Counters,
    reactions: Histograms,
    findings: Counters,
    queue_depth: Gauges,
    queue_age: Ages,
    /// Since when the oldest of a domain's queue waits.
    waiting_since: Mutex<BTreeMap<&'static str, Option<Instant>>>,
    restarts: Counters,
    passes: Histograms,
    api_requests: Counters,
    leader: Gauge,
    /// What is counted of exchange rates.
    pub rates: RatesMetrics,
}

impl Metrics {
    /// Nothing has happened yet; `version` is the program's.
    pub fn new(version: &'static str) -> Self {
        let mut registry = Registry::with_prefix("copyrator");
        let build = Info::new(labels([("version", Cow::from(version))]));
        registry.register("build", "The program that runs", build);
        Self {
            reconciles: registered(
                &mut registry,
                "reconciles",
                "Objects that were come to, by what became of them and why",
                Family::default(),
            ),
            reactions: measured(
                &mut registry,
                "reaction",
                "Time from an event to the end of what it asked for",
                || Histogram::new(REACTIONS),
            ),
            findings: registered(
                &mut registry,
                "findings",
                "What was found that a person should know and that isn't about one object",
                Family::default(),
            ),
            queue_depth: registered(
                &mut registry,
                "queue_depth",
                "Objects that wait to be come to",
                Family::default(),
            ),
            queue_age: timed(
                &mut registry,
                "queue_oldest_age",
                "How long the oldest of the objects waits that wait to be come to",
            ),
            waiting_since: Mutex::default(),
            restarts: registered(
                &mut registry,
                "watch_restarts",
                "Watches and reads that failed and were begun anew",
                Family::default(),
            ),
            passes: measured(
                &mut registry,
                "pass",
                "Full passes, in which everything is read and compared",
                || Histogram::new(PASSES),
            ),
            api_requests: registered(
                &mut registry,
                "api_requests",
                "Requests to the API server, by their HTTP status; none is a request without an answer",
                Family::default(),
            ),
            leader: registered(
                &mut registry,
                "leader",
                "1 while this process leads, else 0",
                Gauge::default(),
            ),
            rates: RatesMetrics::new(&mut registry),
            registry,
        }
    }

    /// Something of a domain was come to.
    pub fn count_reconcile(
        &self,
        domain: &'static str,
        result: &'static str,
        reason: &'static str,
    ) {
        let labels = labels([
            ("domain", domain.into()),
            ("result", result.into()),
            ("reason", reason.into()),
        ]);
        self.reconciles.get_or_create(&labels).inc();
    }

    /// What an event asked for was done after so long.
    pub fn observe_reaction(&self, domain: &'static str, waited: Duration) {
        let labels = of_domain(domain);
        let histogram = self.reactions.get_or_create(&labels);
        histogram.observe(waited.as_secs_f64());
    }

    /// Something was found.
    pub fn count_finding(&self, domain: &'static str, severity: &'static str) {
        let labels = labels([("domain", domain.into()), ("severity", severity.into())]);
        self.findings.get_or_create(&labels).inc();
    }

    /// So much waits to be come to, the oldest of it since then.
    pub fn set_queue(&self, domain: &'static str, depth: usize, oldest: Option<Instant>) {
        let depth = i64::try_from(depth).unwrap_or(i64::MAX);
        self.queue_depth
            .get_or_create(&of_domain(domain))
            .set(depth);
        self.waiting_since().insert(domain, oldest);
    }

    /// A watch or a read failed.
    pub fn count_restart(&self, domain: &'static str, reason: &'static str) {
        let labels = labels([("domain", domain.into()), ("reason", reason.into())]);
        self.restarts.get_or_create(&labels).inc();
    }

    /// A full pass has ended.
    pub fn observe_pass(&self, domain: &'static str, took: Duration) {
        let labels = of_domain(domain);
        self.passes
            .get_or_create(&labels)
            .observe(took.as_secs_f64());
    }

    /// A request to the API server has ended, with this HTTP status or without an answer.
    pub fn count_api_request(&self, verb: &'static str, resource: &str, code: Option<u16>) {
        let code = code.map_or(Cow::from("none"), |code| Cow::from(code.to_string()));
        let labels = labels([
            ("verb", verb.into()),
            ("resource", Cow::from(resource.to_owned())),
            ("code", code),
        ]);
        self.api_requests.get_or_create(&labels).inc();
    }

    /// Whether this process leads.
    pub fn set_leader(&self, leads: bool) {
        self.leader.set(leads.into());
    }

    /// All of it as a text in the format of `OpenMetrics`
    /// (<https://github.com/prometheus/OpenMetrics/blob/main/specification/OpenMetrics.md>).
    pub fn render(&self) -> String {
        self.measure_queues();
        let mut text = String::new();
        // A String takes all that is written to it.
        let _ = encode(&mut text, &self.registry);
        text
    }

    fn waiting_since(&self) -> MutexGuard<'_, BTreeMap<&'static str, Option<Instant>>> {
        let waiting = self.waiting_since.lock();
        waiting.unwrap_or_else(PoisonError::into_inner)
    }

    fn measure_queues(&self) {
        for (domain, since) in self.waiting_since().iter() {
            let age = since.map(|since| since.elapsed().as_secs_f64());
            let gauge = self.queue_age.get_or_create(&of_domain(domain));
            gauge.set(age.unwrap_or_default());
        }
    }
}

fn labels<const COUNT: usize>(labels: [(&'static str, Cow<'static, str>); COUNT]) -> Labels {
    labels.into()
}

fn of_domain(domain: &'static str) -> Labels {
    labels([("domain", domain.into())])
}

/// Registers a metric and gives it back. Its help gets a dot of its own at the end.
fn registered<M: prometheus_client::registry::Metric + Clone>(
    registry: &mut Registry,
    name: &str,
    help: &str,
    metric: M,
) -> M {
    registry.register(name, help, metric.clone());
    metric
}

/// Registers histograms of seconds.
fn measured(
    registry: &mut Registry,
    name: &str,
    help: &str,
    histogram: fn() -> Histogram,
) -> Histograms {
    let histograms = Histograms::new_with_constructor(histogram);
    registry.register_with_unit(name, help, Unit::Seconds, histograms.clone());
    histograms
}

/// Registers gauges of seconds.
fn timed(registry: &mut Registry, name: &str, help: &str) -> Ages {
    let gauges = Ages::default();
    registry.register_with_unit(name, help, Unit::Seconds, gauges.clone());
    gauges
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has_line(metrics: &Metrics, line: &str) {
        let text = metrics.render();
        assert!(
            text.lines().any(|found| found == line),
            "no {line} in\n{text}"
        );
    }

    #[test]
    fn a_process_tells_its_version_before_anything_happens() {
        let metrics = Metrics::new("1.2.3");
        has_line(&metrics, "copyrator_build_info{version=\"1.2.3\"} 1");
        has_line(&metrics, "copyrator_leader 0");
        assert!(metrics.render().ends_with("# EOF\n"));
    }

    #[test]
    fn what_happens_is_counted_by_its_labels() {
        let metrics = Metrics::new("0");
        metrics.count_reconcile("rules", "failed", "Forbidden");
        metrics.count_reconcile("rules", "failed", "Forbidden");
        metrics.count_restart("rules", "Expired");
        metrics.count_finding("rates", "warning");
        metrics.count_api_request("patch", "secrets", Some(409));
        metrics.count_api_request("list", "secrets", None);
        metrics.set_leader(true);
        for line in [
            "copyrator_reconciles_total{domain=\"rules\",result=\"failed\",reason=\"Forbidden\"} 2",
            "copyrator_watch_restarts_total{domain=\"rules\",reason=\"Expired\"} 1",
            "copyrator_findings_total{domain=\"rates\",severity=\"warning\"} 1",
            "copyrator_api_requests_total{verb=\"patch\",resource=\"secrets\",code=\"409\"} 1",
            "copyrator_api_requests_total{verb=\"list\",resource=\"secrets\",code=\"none\"} 1",
            "copyrator_leader 1",
        ] {
            has_line(&metrics, line);
        }
    }

    #[test]
    fn times_are_sorted_into_buckets() {
        let metrics = Metrics::new("0");
        metrics.observe_reaction("rules", Duration::from_millis(20));
        metrics.observe_reaction("rules", Duration::from_secs(90));
        metrics.observe_pass("rules", Duration::from_secs(2));
        for line in [
            "copyrator_reaction_seconds_bucket{le=\"0.01\",domain=\"rules\"} 0",
            "copyrator_reaction_seconds_bucket{le=\"0.025\",domain=\"rules\"} 1",
            "copyrator_reaction_seconds_bucket{le=\"60.0\",domain=\"rules\"} 1",
            "copyrator_reaction_seconds_bucket{le=\"+Inf\",domain=\"rules\"} 2",
            "copyrator_pass_seconds_count{domain=\"rules\"} 1",
        ] {
            has_line(&metrics, line);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_queue_gets_older_while_nobody_tells() {
        let metrics = Metrics::new("0");
        metrics.set_queue("rules", 3, Some(Instant::now()));
        tokio::time::sleep(Duration::from_secs(4)).await;
        has_line(&metrics, "copyrator_queue_depth{domain=\"rules\"} 3");
        has_line(
            &metrics,
            "copyrator_queue_oldest_age_seconds{domain=\"rules\"} 4.0",
        );
        metrics.set_queue("rules", 0, None);
        has_line(
            &metrics,
            "copyrator_queue_oldest_age_seconds{domain=\"rules\"} 0.0",
        );
    }

    #[test]
    fn label_values_are_escaped() {
        let metrics = Metrics::new("0");
        metrics.count_api_request("get", "a\"b\nc", Some(200));
        has_line(
            &metrics,
            "copyrator_api_requests_total{verb=\"get\",resource=\"a\\\"b\\nc\",code=\"200\"} 1",
        );
    }
}
