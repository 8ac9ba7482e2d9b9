//! What a loop's monitor counts, and what it logs.

use std::{
    io,
    sync::{Arc, Mutex},
};

use tracing::subscriber::with_default;

use super::*;
use crate::{
    reconcile::{CONFIG_MAPS, Conflict, Failure, Name, Namespace, Verb, Why},
    telemetry::{Health, Metrics},
};

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn telemetry() -> Telemetry {
    Telemetry {
        metrics: Arc::new(Metrics::new("0")),
        health: Arc::new(Health::starting("controller")),
    }
}

fn outcome(event: Event) -> Outcome {
    let (namespace, name) = (Namespace::from("team-a"), Name::from("ca"));
    let key = ObjectKey::namespaced(&CONFIG_MAPS, namespace, name);
    Outcome::of(key, None, None, event)
}

fn forbidden(message: &str) -> Event {
    let key = outcome(Event::Created).key;
    let failure = Failure::Forbidden(message.to_owned());
    Event::Failed(ApiError::on(Verb::Patch, &key, failure))
}

/// What is logged when this happens, line by line.
fn logged(telemetry: &Telemetry, happen: impl FnOnce(&mut LoopMonitor)) -> Vec<String> {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_writer(move || writer.clone())
        .with_ansi(false)
        .without_time()
        .finish();
    with_default(subscriber, || {
        happen(&mut LoopMonitor::new("rules", telemetry.clone()));
    });
    let bytes = log.0.lock().unwrap().clone();
    let text = String::from_utf8(bytes).unwrap();
    let lines = text.lines().map(|line| {
        let (_, rest) = line.split_once("loop_monitor: ").unwrap();
        rest.to_owned()
    });
    lines.collect()
}

fn counts(telemetry: &Telemetry, line: &str) {
    let text = telemetry.metrics.render();
    assert!(
        text.lines().any(|found| found == line),
        "no {line} in\n{text}"
    );
}

#[test]
fn each_write_is_a_line_with_what_was_written_and_why() {
    let telemetry = telemetry();
    let lines = logged(&telemetry, |monitor| {
        let waited = Some(Duration::from_millis(250));
        monitor.outcome(&outcome(Event::Configured(Why::SourceChanged)), waited);
        monitor.outcome(&outcome(Event::Unchanged), None);
    });
    assert_eq!(
        lines,
        [
            "written domain=\"rules\" result=\"configured\" object=\"configmap/ca\" namespace=\"team-a\" \
             reason=\"SourceChanged\" seconds=0.25"
        ]
    );
    let by = "domain=\"rules\",result=\"configured\",reason=\"SourceChanged\"";
    counts(&telemetry, &format!("copyrator_reconciles_total{{{by}}} 1"));
    counts(
        &telemetry,
        "copyrator_reaction_seconds_count{domain=\"rules\"} 1",
    );
}

#[test]
fn what_stays_wrong_is_logged_once_and_counted_each_time() {
    let telemetry = telemetry();
    let lines = logged(&telemetry, |monitor| {
        let managers = vec!["helm".to_owned()];
        monitor.outcome(&outcome(forbidden("no\nway")), None);
        monitor.outcome(&outcome(forbidden("no\nway")), None);
        monitor.outcome(
            &outcome(Event::Conflict(Conflict::NotOurs { managers })),
            None,
        );
        monitor.outcome(&outcome(Event::Unchanged), None);
        monitor.outcome(&outcome(forbidden("no\nway")), None);
    });
    assert_eq!(lines.len(), 3, "{lines:#?}");
    assert!(
        lines[0].starts_with("not in step domain=\"rules\" result=\"failed\" "),
        "{lines:#?}"
    );
    assert!(lines[0].ends_with(
        "reason=\"Forbidden\" error=\"cannot patch configmap/ca in namespace team-a: no\\nway\""
    ));
    assert!(lines[1].contains("result=\"conflict\"") && lines[1].contains("reason=\"NotOurs\""));
    assert_eq!(lines[2], lines[0]);
    let by = "domain=\"rules\",result=\"failed\",reason=\"Forbidden\"";
    counts(&telemetry, &format!("copyrator_reconciles_total{{{by}}} 3"));
}

#[test]
fn what_was_not_come_to_is_neither_counted_nor_logged() {
    let telemetry = telemetry();
    let lines = logged(&telemetry, |monitor| {
        let key = outcome(Event::Created).key;
        for failure in [Failure::Interrupted, Failure::LeadershipLost] {
            let error = ApiError::on(Verb::Patch, &key, failure);
            monitor.outcome(&outcome(Event::Failed(error)), None);
        }
    });
    assert_eq!(lines, Vec::<String>::new());
    assert!(!telemetry.metrics.render().contains("reconciles_total"));
}

#[tokio::test(start_paused = true)]
async fn trouble_is_logged_now_and_then_and_counted_each_time() {
    let telemetry = telemetry();
    let error = ApiError::on(
        Verb::Watch,
        &outcome(Event::Created).key,
        Failure::ConnectionLost("cut".to_owned()),
    );
    let lines = logged(&telemetry, |monitor| {
        for _ in 0..3 {
            monitor.trouble(&error, Duration::from_secs(1));
        }
    });
    assert_eq!(lines.len(), 1, "{lines:#?}");
    counts(
        &telemetry,
        "copyrator_watch_restarts_total{domain=\"rules\",reason=\"ConnectionLost\"} 3",
    );
}

#[test]
fn a_loop_is_waited_for_until_it_is_ready_or_ends() {
    let telemetry = telemetry();
    telemetry.health.is_ready("controller");
    let mut monitor = LoopMonitor::new("rules", telemetry.clone());
    assert_eq!(telemetry.health.unready(), ["rules: not all is read yet"]);
    monitor.ready();
    assert_eq!(telemetry.health.unready(), Vec::<String>::new());
    monitor.queue(7, None);
    drop(monitor);
    counts(&telemetry, "copyrator_queue_depth{domain=\"rules\"} 0");
    drop(LoopMonitor::new("rules", telemetry.clone()));
    assert_eq!(telemetry.health.unready(), Vec::<String>::new());
}
