//! Tells a watch as it goes on: a line for each object that changed, failures and conflicts when they happen.

use std::{
    collections::HashMap,
    io::{self, Write},
    time::Duration,
};

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{
    DryRun, ReportOptions, Rest, Streams,
    error::{error_message, finding_lines, hint_for, painted},
    failures::{Conflicts, Failures, failure_message},
    result_line::result_line,
    summary::{counts, summary_line},
};
use crate::reconcile::{ApiError, Ended, Event, Finding, Monitor, ObjectKey, Outcome};

/// How long the same trouble isn't told again.
const PATIENCE: Duration = Duration::from_mins(1);

/// Of so many objects it is known what was told of them.
const MOST_TOLD: usize = 10_000;

/// Tells a watch on the standard streams.
pub struct WatchReporter<'a> {
    streams: &'a mut Streams,
    options: ReportOptions,
    /// Ended when nobody reads any more.
    unread: CancellationToken,
    begun: Instant,
    troubles: HashMap<String, Instant>,
    /// What was told of objects that couldn't be brought in step: it is tried again and again, and told once.
    told: HashMap<ObjectKey, Vec<String>>,
    broken: Option<io::Error>,
}

impl<'a> WatchReporter<'a> {
    /// Tells a watch that begins now, and cancels `unread` when nobody reads any more.
    pub fn new(
        streams: &'a mut Streams,
        options: ReportOptions,
        unread: CancellationToken,
    ) -> Self {
        Self {
            streams,
            options,
            unread,
            begun: Instant::now(),
            troubles: HashMap::new(),
            told: HashMap::new(),
            broken: None,
        }
    }

    /// Tells what the watch came to. The error is the first one of writing anything.
    pub fn finish(mut self, ended: &Ended) -> io::Result<()> {
        let rest = Rest {
            not_reached: ended.not_reached,
            ..Rest::default()
        };
        let is_in_the_dark = !ended.was_ready && rest.not_reached == 0;
        let line = if is_in_the_dark && counts(&ended.tally).is_empty() {
            "nothing done: what there is to do wasn't known yet".to_owned()
        } else {
            summary_line(&ended.tally, rest, self.begun.elapsed(), DryRun::None)
        };
        self.write_err(&line);
        self.broken.map_or(Ok(()), Err)
    }

    fn write_out(&mut self, line: &str) {
        let out = &mut self.streams.out;
        let written = writeln!(out, "{line}").and_then(|()| out.flush());
        self.note(written);
    }

    fn write_err(&mut self, message: &str) {
        let message = painted(message, self.options.colours.err);
        let err = &mut self.streams.err;
        let written = writeln!(err, "{message}").and_then(|()| err.flush());
        self.note(written);
    }

    fn note(&mut self, written: io::Result<()>) {
        if let Err(error) = written {
            self.broken.get_or_insert(error);
            self.unread.cancel();
        }
    }

    fn failure_lines(&self, outcome: &Outcome, error: &ApiError) -> Vec<String> {
        let desired = outcome.desired.as_ref();
        let content = desired.map(|desired| desired.template.content());
        let message = failure_message(error, &outcome.key, content);
        let mut failures = Failures::default();
        failures.add(outcome.key.clone(), error, &message);
        failures.lines(self.options.verbose)
    }
}

impl Monitor for WatchReporter<'_> {
    fn outcome(&mut self, outcome: &Outcome, _waited: Option<Duration>) {
        let lines = match &outcome.event {
            Event::Failed(error) => self.failure_lines(outcome, error),
            Event::Conflict(conflict) => {
                let mut conflicts = Conflicts::default();
                conflicts.add(outcome.key.clone(), conflict.clone());
                conflicts.lines(self.options.verbose)
            }
            Event::Unchanged | Event::Skipped(_) if !self.options.verbose => {
                self.told.remove(&outcome.key);
                return;
            }
            _ => {
                self.told.remove(&outcome.key);
                let ReportOptions {
                    format, colours, ..
                } = self.options;
                let line = result_line(outcome, format, DryRun::None, colours.out);
                return self.write_out(&line);
            }
        };
        if self.told.get(&outcome.key) == Some(&lines) {
            return;
        }
        for line in &lines {
            self.write_err(line);
        }
        // What was in trouble and isn't there any more, nobody tells.
        if self.told.len() >= MOST_TOLD {
            self.told.clear();
        }
        self.told.insert(outcome.key.clone(), lines);
    }

    fn finding(&mut self, finding: &Finding) {
        for line in finding_lines(finding) {
            self.write_err(&line);
        }
    }

    fn queue(&mut self, _depth: usize, _oldest: Option<Instant>) {}

    fn ready(&mut self) {
        self.write_err("watching for changes; stop with Ctrl-C");
    }

    fn trouble(&mut self, error: &ApiError, pause: Duration) {
        let now = Instant::now();
        let message = error_message(error);
        let told = self.troubles.get(&message);
        if told.is_some_and(|told| now < *told + PATIENCE) {
            return;
        }
        self.troubles.retain(|_, told| now < *told + PATIENCE);
        self.troubles.insert(message.clone(), now);
        let message = message.strip_prefix("error: ").unwrap_or(&message);
        let pause = pause.as_secs_f64();
        let again = if pause < 1.0 {
            "trying again".to_owned()
        } else {
            format!("trying again in {pause:.0}s")
        };
        self.write_err(&format!("Warning: {message}; {again}"));
        if let Some(hint) = hint_for(error) {
            self.write_err(&format!("hint: {hint}"));
        }
    }

    fn pass(&mut self, _took: Duration) {}
}
