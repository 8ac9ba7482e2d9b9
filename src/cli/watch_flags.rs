//! Whether a command goes on: what `sync` and `rates refresh` have in common.

use std::time::Duration;

use clap::{ArgAction, Args};

use super::values::{boolean, period};

/// Whether a command goes on.
#[derive(Args, Clone, Debug)]
pub struct WatchFlags {
    /// Go on when all is done: follow what changes and keep everything in step until interrupted.
    #[arg(short, long, value_name = "true|false", num_args = 0..=1, require_equals = true,
          default_value = "false", default_missing_value = "true", hide_default_value = true,
          action = ArgAction::Set, value_parser = boolean)]
    pub watch: bool,
    /// With --watch: how often everything is read and compared anew, whatever was heard, with a unit
    /// (30m, 2h).
    #[arg(long, value_name = "DURATION", default_value = "1h", value_parser = period)]
    pub resync: Duration,
}
