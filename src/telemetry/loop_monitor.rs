//! Counts what a loop does, and logs what a person may want to know of it.

use std::{collections::HashMap, time::Duration};

use tokio::time::Instant;
use tracing::{Level, debug, enabled, info, warn};

use super::{Repetition, Telemetry};
use crate::reconcile::{ApiError, Event, Finding, Monitor, ObjectKey, Outcome, Owner, Severity};

/// How long the same trouble isn't logged again.
const PATIENCE: Duration = Duration::from_mins(5);

/// Counts and logs what one loop does. Nothing that a Secret holds comes by here.
pub struct LoopMonitor {
    domain: &'static str,
    telemetry: Telemetry,
    /// What was last logged of objects that aren't as they should be, so that it is logged once.
    troubled: HashMap<ObjectKey, String>,
    /// What was logged of watches and reads that fail.
    troubles: Repetition,
}

impl LoopMonitor {
    /// Follows the loop of a domain, such as `rules`.
    pub fn new(domain: &'static str, telemetry: Telemetry) -> Self {
        telemetry.health.is_waiting(domain, "not all is read yet");
        Self {
            domain,
            telemetry,
            troubled: HashMap::new(),
            troubles: Repetition::every(PATIENCE),
        }
    }

    fn log_trouble(&mut self, outcome: &Outcome, result: &str, message: String) {
        let known = self.troubled.get(&outcome.key);
        if known == Some(&message) {
            return;
        }
        let about = About::of(outcome);
        warn!(
            domain = self.domain,
            result,
            object = about.object,
            namespace = about.namespace,
            owner = about.owner,
            source = about.source,
            reason = outcome.event.reason(),
            error = message,
            "not in step"
        );
        self.troubled.insert(outcome.key.clone(), message);
    }

    fn log_write(&self, outcome: &Outcome, result: &str, waited: Option<Duration>) {
        let about = About::of(outcome);
        info!(
            domain = self.domain,
            result,
            object = about.object,
            namespace = about.namespace,
            owner = about.owner,
            source = about.source,
            reason = outcome.event.reason(),
            seconds = waited.map(|waited| waited.as_secs_f64()),
            "written"
        );
    }
}

/// A loop that has ended waits for nothing, and nothing waits for it.
impl Drop for LoopMonitor {
    fn drop(&mut self) {
        self.telemetry.metrics.set_queue(self.domain, 0, None);
        self.telemetry.health.is_ready(self.domain);
    }
}

impl Monitor for LoopMonitor {
    fn outcome(&mut self, outcome: &Outcome, waited: Option<Duration>) {
        let (metrics, event) = (&self.telemetry.metrics, &outcome.event);
        if event.is_interruption() {
            return;
        }
        let result = result(event);
        metrics.count_reconcile(self.domain, result, event.reason().unwrap_or_default());
        if let Some(waited) = waited {
            metrics.observe_reaction(self.domain, waited);
        }
        match event {
            Event::Failed(error) => self.log_trouble(outcome, result, error.to_string()),
            Event::Conflict(conflict) => {
                self.log_trouble(outcome, result, conflict.reason().to_owned());
            }
            Event::Unchanged | Event::Skipped(_) => {
                self.troubled.remove(&outcome.key);
                debug!(domain = self.domain, result, object = %outcome.key, "nothing to do");
            }
            _ => {
                self.troubled.remove(&outcome.key);
                if enabled!(Level::INFO) {
                    self.log_write(outcome, result, waited);
                }
            }
        }
    }

    fn finding(&mut self, finding: &Finding) {
        let severity = match finding.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        self.telemetry.metrics.count_finding(self.domain, severity);
        let owner = finding.owner.as_ref().map(named);
        let cause = finding.cause.as_ref().map(ToString::to_string);
        let message = &*finding.message;
        warn!(
            domain = self.domain,
            severity,
            owner,
            finding = message,
            cause,
            "found"
        );
    }

    fn queue(&mut self, depth: usize, oldest: Option<Instant>) {
        self.telemetry.metrics.set_queue(self.domain, depth, oldest);
    }

    fn ready(&mut self) {
        self.telemetry.health.is_ready(self.domain);
        info!(domain = self.domain, "ready");
    }

    fn trouble(&mut self, error: &ApiError, pause: Duration) {
        let reason = error.failure.word();
        self.telemetry.metrics.count_restart(self.domain, reason);
        let message = error.to_string();
        if self.troubles.is_due(&message) {
            let pause = pause.as_secs_f64();
            warn!(
                domain = self.domain,
                reason,
                error = message,
                pause,
                "a request failed; it is tried again"
            );
        }
    }

    fn pass(&mut self, took: Duration) {
        self.telemetry.metrics.observe_pass(self.domain, took);
        debug!(
            domain = self.domain,
            seconds = took.as_secs_f64(),
            "full pass"
        );
    }
}

/// What an outcome is about, as fields of a log line.
struct About {
    object: String,
    namespace: Option<String>,
    owner: Option<String>,
    source: Option<String>,
}

impl About {
    fn of(outcome: &Outcome) -> Self {
        let key = &outcome.key;
        Self {
            object: format!("{}/{}", key.resource.qualified_singular(), key.name),
            namespace: key.namespace.as_ref().map(ToString::to_string),
            owner: outcome.owner.as_ref().map(named),
            source: outcome.source.as_deref().map(ToOwned::to_owned),
        }
    }
}

/// An owner with what it is, as kubectl names objects.
fn named(owner: &Owner) -> String {
    format!("{}/{}", owner.kind.noun, owner.path())
}

/// What became of an object, in one word.
fn result(event: &Event) -> &'static str {
    match event {
        Event::Created => "created",
        Event::Configured(_) => "configured",
        Event::Replaced(_) => "replaced",
        Event::Unchanged => "unchanged",
        Event::Pruned => "pruned",
        Event::Orphaned => "orphaned",
        Event::Released => "released",
        Event::Skipped(_) => "skipped",
        Event::Conflict(_) => "conflict",
        Event::Failed(_) => "failed",
    }
}

#[cfg(test)]
#[path = "loop_monitor_tests.rs"]
mod tests;
