//! What stands in the way of a plan: findings, conflicts and failures, without a run's summary.

use std::io;

use super::{
    Palette, Streams,
    error::{finding_lines, write_message},
    failures::{Conflicts, Failures, failure_message},
    words::skip_sentence,
};
use crate::reconcile::{Event, Finding, Outcome, Skip};

/// Writes on standard error what stands in the way: first what concerns owners, then objects,
/// those with the same trouble together.
pub fn write_troubles<'a>(
    streams: &mut Streams,
    findings: &[Finding],
    outcomes: impl IntoIterator<Item = &'a Outcome>,
    verbose: bool,
    palette: Palette,
) -> io::Result<()> {
    let (mut conflicts, mut failures) = (Conflicts::default(), Failures::default());
    let mut waiting = Vec::new();
    for outcome in outcomes {
        let key = outcome.key.clone();
        match &outcome.event {
            Event::Conflict(conflict) => conflicts.add(key, conflict.clone()),
            Event::Failed(error) => {
                let content = outcome
                    .desired
                    .as_ref()
                    .map(|desired| desired.template.content());
                let message = failure_message(error, &key, content);
                failures.add(key, error, &message);
            }
            Event::Skipped(skip @ Skip::BeingDeleted) => {
                waiting.push(format!("Warning: {key}: {}", skip_sentence(*skip)));
            }
            _ => (),
        }
    }
    let findings = findings.iter().flat_map(finding_lines);
    let lines = findings
        .chain(waiting)
        .chain(conflicts.lines(verbose))
        .chain(failures.lines(verbose));
    for line in lines {
        write_message(streams, &line, palette)?;
    }
    streams.err.flush()
}
