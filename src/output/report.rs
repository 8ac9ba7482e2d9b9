//! Tells a run as it happens: result lines, failures and conflicts, a summary, or one document.

use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

use super::{
    Colours, DryRun, Format, Streams,
    condense::{Condenser, LINES_OF_A_KIND},
    error::{finding_lines, painted},
    failures::{Conflicts, Failures, failure_message},
    machine::print_document,
    progress::{Progress, ProgressMode},
    result_line::result_line,
    summary::{Rest, summary_line},
    sync_report::{ReportKind, SyncReportBuilder},
};
use crate::reconcile::{
    Event, Finding, MissingPermissions, Outcome, Reporter, Severity, Skip, Tally,
};

/// How a run is told.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReportOptions {
    /// What the run is about.
    pub kind: ReportKind,
    /// The form of the results.
    pub format: Format,
    /// Whether the run is only a rehearsal.
    pub dry_run: DryRun,
    /// Whether also what is in step or skipped is told, and nothing is condensed.
    pub verbose: bool,
    /// Whether to colour.
    pub colours: Colours,
}

/// Tells how much time has passed since a run began.
pub type Clock = Box<dyn Fn() -> Duration>;

/// Tells a run on the standard streams: result lines and documents go to standard output, and
/// everything else to standard error.
pub struct SyncReporter<'a> {
    streams: &'a mut Streams,
    options: ReportOptions,
    clock: Clock,
    tally: Tally,
    found_error: bool,
    condenser: Condenser,
    failures: Failures,
    conflicts: Conflicts,
    document: SyncReportBuilder,
    progress: Progress,
    broken: Broken,
}

/// The first error of each stream; nothing more is written to a stream that has one.
#[derive(Default)]
struct Broken {
    out: Option<io::Error>,
    err: Option<io::Error>,
}

impl<'a> SyncReporter<'a> {
    /// Tells a run that begins now.
    pub fn new(streams: &'a mut Streams, options: ReportOptions) -> Self {
        let mode = match (streams.err_is_terminal, options.verbose) {
            (true, true) => ProgressMode::Hidden,
            (true, false) => ProgressMode::Bar,
            (false, _) => ProgressMode::Lines,
        };
        let began = Instant::now();
        Self::with(streams, options, mode, Box::new(move || began.elapsed()))
    }

    /// Tells a run with a given clock and progress.
    pub fn with(
        streams: &'a mut Streams,
        options: ReportOptions,
        mode: ProgressMode,
        clock: Clock,
    ) -> Self {
        // Who asks for names wants them all.
        let condense =
            streams.out_is_terminal && !options.verbose && options.format != Format::Name;
        Self {
            streams,
            options,
            clock,
            tally: Tally::default(),
            found_error: false,
            condenser: Condenser::new(condense.then_some(LINES_OF_A_KIND)),
            failures: Failures::default(),
            conflicts: Conflicts::default(),
            document: SyncReportBuilder::new(options.kind),
            progress: Progress::new(mode),
            broken: Broken::default(),
        }
    }

    /// Says what is being read, once that has taken a while.
    pub fn reading(&mut self, what: &'static str) {
        self.progress.reading(what);
    }

    /// Tells the rest: what was left out, conflicts, failures, the summary or the document.
    ///
    /// The error is the first one of writing anything, such as a closed pipe.
    pub fn finish(mut self, rest: Rest) -> io::Result<()> {
        self.progress.finish();
        self.finish_out(rest);
        let verbose = self.options.verbose;
        for line in self.conflicts.lines(verbose) {
            self.write_err(&line);
        }
        for line in self.failures.lines(verbose) {
            self.write_err(&line);
        }
        // Where errors kept everything from being done, they have said so.
        let nothing_done = self.tally == Tally::default() && rest.not_reached == 0;
        let is_hopeless = self.found_error && nothing_done;
        if !self.options.format.is_machine() && !is_hopeless {
            let elapsed = (self.clock)();
            let line = summary_line(&self.tally, rest, elapsed, self.options.dry_run);
            self.write_err(&line);
        }
        let flushed = self.streams.err.flush();
        self.broken.err = self.broken.err.or(flushed.err());
        match self.broken.out.or(self.broken.err) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    fn finish_out(&mut self, rest: Rest) {
        if self.options.format.is_machine() {
            let document = std::mem::take(&mut self.document);
            let report = document.build(&self.tally, rest, (self.clock)(), self.options.dry_run);
            let printed = print_document(self.streams, self.options.format, &report);
            self.broken.out = printed.err();
            return;
        }
        for line in self.condenser.rest() {
            self.write_out(&line);
        }
        if self.broken.out.is_none() {
            self.broken.out = self.streams.out.flush().err();
        }
    }

    fn write_out(&mut self, line: &str) {
        if self.broken.out.is_some() {
            return;
        }
        let out = &mut self.streams.out;
        // Without a terminal the line can't hit the bar, which may be redrawn in peace.
        let written = if self.streams.out_is_terminal {
            self.progress.suspend(|| writeln!(out, "{line}"))
        } else {
            writeln!(out, "{line}")
        };
        self.broken.out = written.err();
    }

    fn write_err(&mut self, message: &str) {
        if self.broken.err.is_some() {
            return;
        }
        let message = painted(message, self.options.colours.err);
        let err = &mut self.streams.err;
        self.broken.err = self.progress.suspend(|| writeln!(err, "{message}")).err();
    }

    /// Whether an event has a result line; conflicts and failures are told in the end, on standard error.
    fn has_line(&self, event: &Event) -> bool {
        match event {
            Event::Created
            | Event::Configured(_)
            | Event::Replaced(_)
            | Event::Pruned
            | Event::Orphaned
            | Event::Released => true,
            // The one kind that leaves something to do for the next run.
            Event::Skipped(Skip::BeingDeleted) => self.options.format != Format::Name,
            Event::Unchanged | Event::Skipped(_) => {
                self.options.verbose && self.options.format != Format::Name
            }
            Event::Conflict(_) | Event::Failed(_) => false,
        }
    }

    fn write_result(&mut self, outcome: &Outcome) {
        let ReportOptions {
            format, dry_run, ..
        } = self.options;
        if self.has_line(&outcome.event) && self.condenser.admits(outcome) {
            let line = result_line(outcome, format, dry_run, self.options.colours.out);
            self.write_out(&line);
        }
    }
}

impl Reporter for SyncReporter<'_> {
    fn planned(&mut self, steps: usize, in_step: usize) {
        self.tally.unchanged += in_step;
        self.progress.planned(steps, (self.clock)());
    }

    fn missing_permissions(&mut self, missing: MissingPermissions) {
        self.document.foreseen(&missing);
        self.failures.foreseen(&missing);
    }

    fn outcome(&mut self, outcome: Outcome) {
        self.tally.count(&outcome.event);
        let failure = match &outcome.event {
            Event::Failed(error) => {
                let content = outcome
                    .desired
                    .as_ref()
                    .map(|desired| desired.template.content());
                Some(failure_message(error, &outcome.key, content))
            }
            _ => None,
        };
        if self.options.format.is_machine() {
            self.document.outcome(&outcome, failure.as_deref());
        } else {
            self.write_result(&outcome);
        }
        match (outcome.event, failure) {
            (Event::Conflict(conflict), _) => self.conflicts.add(outcome.key, conflict),
            (Event::Failed(error), Some(failure)) => {
                self.failures.add(outcome.key, &error, &failure);
            }
            _ => {}
        }
        if let Some(line) = self.progress.advance(&self.tally, (self.clock)()) {
            self.write_err(&line);
        }
    }

    fn finding(&mut self, finding: Finding) {
        self.found_error |= finding.severity == Severity::Error;
        for line in finding_lines(&finding) {
            self.write_err(&line);
        }
        self.document.finding(&finding);
    }
}

#[cfg(test)]
#[path = "report_tests.rs"]
mod tests;
