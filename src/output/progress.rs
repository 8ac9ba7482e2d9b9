//! Shows that a long run goes on: a bar on a terminal, a line now and then elsewhere.

use std::{fmt::Write, time::Duration};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::summary::counts;
use crate::reconcile::Tally;

/// What takes no longer than this shows no progress at all.
const SHORT: Duration = Duration::from_secs(1);
/// How often a line is written where there is no terminal.
const INTERVAL: Duration = Duration::from_secs(10);
/// How often the spinner turns while a phase has no steps to count.
const TURN: Duration = Duration::from_millis(100);

/// How progress is shown.
pub enum ProgressMode {
    /// Not at all.
    Hidden,
    /// As a bar on the terminal that is standard error.
    Bar,
    /// As a bar somewhere else.
    BarOn(ProgressDrawTarget),
    /// As lines, which the caller writes.
    Lines,
}

/// The progress of a run through its two phases, reading and writing.
pub struct Progress {
    bar: Option<ProgressBar>,
    lines: bool,
    steps: usize,
    done: usize,
    drawn: bool,
    next_line: Duration,
}

impl Progress {
    /// Shows nothing yet.
    pub fn new(mode: ProgressMode) -> Self {
        let (target, lines) = match mode {
            ProgressMode::Hidden => (None, false),
            ProgressMode::Lines => (None, true),
            ProgressMode::Bar => (Some(ProgressDrawTarget::stderr()), false),
            ProgressMode::BarOn(target) => (Some(target), false),
        };
        Self {
            bar: target.map(|target| ProgressBar::with_draw_target(Some(0), target)),
            lines,
            steps: 0,
            done: 0,
            drawn: false,
            next_line: INTERVAL,
        }
    }

    /// A phase that has no steps to count begins; it is shown once it has taken a while.
    pub fn reading(&self, what: &'static str) {
        let Some(bar) = &self.bar else {
            return;
        };
        let late = move |state: &ProgressState, line: &mut dyn Write| {
            if state.elapsed() >= SHORT {
                // A line that can't be drawn isn't worth failing for.
                let _ = write!(line, "{what}… {}s", state.elapsed().as_secs());
            }
        };
        bar.set_style(style("{late}").with_key("late", late));
        bar.enable_steady_tick(TURN);
    }

    /// The phase of writing begins, with so many steps.
    pub fn planned(&mut self, steps: usize, now: Duration) {
        self.steps = steps;
        self.next_line = now + INTERVAL;
        if let Some(bar) = &self.bar {
            bar.disable_steady_tick();
            // Nothing is drawn until the first step that comes late.
            bar.set_style(style(""));
            bar.set_length(steps as u64);
            bar.reset_eta();
        }
    }

    /// One step is done. The line that is due, if one is.
    pub fn advance(&mut self, tally: &Tally, now: Duration) -> Option<String> {
        self.done += 1;
        if let Some(bar) = &self.bar {
            if !self.drawn && now >= SHORT {
                self.drawn = true;
                bar.set_style(bar_style());
            }
            bar.set_message(counts(tally));
            bar.inc(1);
        }
        if !self.lines || now < self.next_line || self.done >= self.steps {
            return None;
        }
        self.next_line = now + INTERVAL;
        Some(format!(
            "{} of {} done: {}…",
            self.done,
            self.steps,
            counts(tally)
        ))
    }

    /// Writes something without tearing the bar.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Progress {
    /// Also a run that ends early leaves no bar behind.
    fn drop(&mut self) {
        self.finish();
    }
}

/// The counts come last and are cut off where the terminal is too narrow for them.
fn bar_style() -> ProgressStyle {
    let rate = |state: &ProgressState, line: &mut dyn Write| {
        // What can't be drawn isn't worth failing for.
        let _ = write!(line, "{:.0}/s", state.per_sec());
    };
    style("{bar:30} {pos}/{len}  {rate}  ETA {eta}  {wide_msg}").with_key("rate", rate)
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template)
        .expect("our templates are well formed")
        .progress_chars("=> ")
}

#[cfg(test)]
#[path = "progress_tests.rs"]
mod tests;
