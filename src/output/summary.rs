//! The last line of a run: how many objects met which end, and how long it took.

use std::time::Duration;

use serde::Serialize;

use super::DryRun;
use crate::reconcile::Tally;

/// What a run left undone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rest {
    /// How many objects were not come to.
    pub not_reached: usize,
    /// Why, if there are any.
    pub stopped: Stopped,
}

/// Why a run ended before its time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum Stopped {
    /// Somebody interrupted it.
    #[default]
    Interrupted,
    /// Its time was up (`--timeout`).
    TimedOut,
    /// Something failed, and it was to end then (`--fail-fast`).
    FailedFast,
}

impl Stopped {
    const fn word(self) -> &'static str {
        match self {
            Self::Interrupted => "interrupted",
            Self::TimedOut => "timed out",
            Self::FailedFast => "stopped at a failure",
        }
    }
}

/// The counts in words, without those that are zero: `12 created, 985 unchanged`.
pub fn counts(tally: &Tally) -> String {
    let words = [
        (tally.created, "created"),
        (tally.configured, "configured"),
        (tally.replaced, "replaced"),
        (tally.unchanged, "unchanged"),
        (tally.pruned, "pruned"),
        (tally.orphaned, "orphaned"),
        (tally.released, "released"),
        (tally.skipped, "skipped"),
        (
            tally.conflicts,
            if tally.conflicts == 1 {
                "conflict"
            } else {
                "conflicts"
            },
        ),
        (tally.failed, "failed"),
    ];
    let words = words.iter().filter(|(count, _)| *count > 0);
    words
        .map(|(count, word)| format!("{count} {word}"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// The summary line.
pub fn summary_line(tally: &Tally, rest: Rest, elapsed: Duration, dry_run: DryRun) -> String {
    let mut counts = counts(tally);
    if counts.is_empty() && rest.not_reached == 0 {
        return format!("nothing to do{}", dry_run.suffix());
    }
    if counts.is_empty() {
        "nothing done".clone_into(&mut counts);
    }
    let seconds = elapsed.as_secs_f64();
    // Short runs are told apart by their milliseconds, long ones are not.
    let decimals = if seconds < 1.0 { 3 } else { 1 };
    let line = format!("{counts} in {seconds:.decimals$}s{}", dry_run.suffix());
    match rest.not_reached {
        0 => line,
        left => format!(
            "{}: {line}; {left} not reached, run it again to continue",
            rest.stopped.word()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(tally: &Tally, not_reached: usize) -> String {
        let rest = Rest {
            not_reached,
            stopped: Stopped::Interrupted,
        };
        summary_line(tally, rest, Duration::from_millis(1234), DryRun::None)
    }

    #[test]
    fn all_counts_have_their_word() {
        let tally = Tally {
            created: 12,
            configured: 3,
            replaced: 5,
            unchanged: 985,
            pruned: 1,
            orphaned: 7,
            released: 6,
            skipped: 4,
            conflicts: 2,
            failed: 1,
        };
        assert_eq!(
            line(&tally, 0),
            "12 created, 3 configured, 5 replaced, 985 unchanged, 1 pruned, 7 orphaned, 6 released, 4 skipped, 2 conflicts, 1 failed in 1.2s"
        );
    }

    #[test]
    fn zeros_are_left_out() {
        let tally = Tally {
            unchanged: 1000,
            ..Tally::default()
        };
        assert_eq!(line(&tally, 0), "1000 unchanged in 1.2s");
        let dry = summary_line(
            &tally,
            Rest::default(),
            Duration::from_millis(300),
            DryRun::Server,
        );
        assert_eq!(dry, "1000 unchanged in 0.300s (server dry run)");
    }

    #[test]
    fn nothing_at_all_is_said_in_words() {
        assert_eq!(line(&Tally::default(), 0), "nothing to do");
    }

    #[test]
    fn interruptions_tell_what_is_left() {
        let tally = Tally {
            created: 1,
            ..Tally::default()
        };
        assert_eq!(
            line(&tally, 9),
            "interrupted: 1 created in 1.2s; 9 not reached, run it again to continue"
        );
        assert_eq!(
            line(&Tally::default(), 9),
            "interrupted: nothing done in 1.2s; 9 not reached, run it again to continue"
        );
    }
}
