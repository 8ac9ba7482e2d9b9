//! Runs that have no end: what the commands with `--watch` have in common.

use tokio_util::sync::CancellationToken;

use super::CommandError;
use crate::{
    cli::{WatchFlags, WriteFlags},
    exit::Ending,
    output::{DryRun, Format},
    reconcile::{Depth, Ended},
};

/// Refuses flags that mean nothing where there is no end.
pub fn check_flags(watch: &WatchFlags, write: &WriteFlags) -> Result<(), CommandError> {
    if !watch.watch {
        return Ok(());
    }
    if write.dry_run != DryRun::None {
        return refuse("--dry-run", "a watch works on what it has written");
    }
    if write.fail_fast {
        return refuse("--fail-fast", "a watch tries again what has failed");
    }
    match write.output {
        Some(Format::Json | Format::Yaml) => {
            refuse("-o json|yaml", "such a document is printed at the end")
        }
        _ => Ok(()),
    }
}

/// Refuses to read all copies in full where they are read once and then followed.
pub fn check_depth(depth: Depth) -> Result<(), CommandError> {
    match depth {
        Depth::Full => refuse(
            "--verify",
            "a watch follows the metadata of copies, which tells every change",
        ),
        Depth::Metadata => Ok(()),
    }
}

fn refuse(flag: &str, why: &str) -> Result<(), CommandError> {
    Err(CommandError::Arguments(format!(
        "{flag} and --watch contradict each other: {why}; leave one of them out"
    )))
}

/// How a watch ends that was asked to: as one that was interrupted, unless its time was up.
pub fn ending(ended: &Ended, cancellation: &CancellationToken) -> Ending {
    if cancellation.is_cancelled() {
        Ending::Interrupted
    } else if !ended.was_ready || ended.not_reached + ended.troubled > 0 {
        Ending::Unfinished
    } else {
        Ending::Done
    }
}
