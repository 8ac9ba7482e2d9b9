//! How writes are done and told: what `sync` and `prune` have in common.

use std::time::Duration;

use clap::{ArgAction, Args};

use super::values::{any_format, boolean, dry_run, timeout};
use crate::output::{DryRun, Format};

/// How writes are done and told.
#[derive(Args, Clone, Debug)]
pub struct WriteFlags {
    /// Only say what would be done: on its own or as client nothing is sent; as server the API server
    /// checks the changes but doesn't keep them.
    #[arg(long, value_name = "none|client|server", num_args = 0..=1, require_equals = true,
          default_value = "none", default_missing_value = "client", hide_default_value = true,
          value_parser = dry_run)]
    pub dry_run: DryRun,
    /// Stop after this time, with a unit (30s, 5m), and at most five seconds more for what is under way:
    /// the rest is left for the next run; 0 means no limit.
    #[arg(long, value_name = "DURATION", default_value = "0", hide_default_value = true,
          value_parser = timeout)]
    pub timeout: Duration,
    /// Stop at the first failure, rather than go on with the other objects.
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true,
          default_value = "false", default_missing_value = "true", hide_default_value = true,
          action = ArgAction::Set, value_parser = boolean)]
    pub fail_fast: bool,
    /// Print in another format: json, yaml, name or wide.
    #[arg(short, long, value_name = "FORMAT", value_parser = any_format)]
    pub output: Option<Format>,
}
