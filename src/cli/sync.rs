//! The flags of `sync`.

use std::path::PathBuf;

use clap::Args;

use super::values;
use crate::output::{DryRun, Format};

const EXAMPLES: &str = "\
Examples:
  # Bring the copies of all CopyratorRules of the cluster in step, and delete what no rule wants any more
  kubectl copyrator sync

  # Only the rules with these names
  kubectl copyrator sync pull-secrets ca-bundle

  # Rules from a file, a directory or standard input; the cluster needs nothing installed
  kubectl copyrator sync -f rules/
  cat rule.yaml | kubectl copyrator sync -f -

  # Show what would be done, without doing it
  kubectl copyrator sync --dry-run

  # Read every copy whole instead of trusting its metadata
  kubectl copyrator sync --verify

Exit codes:
  0    all copies are in step
  1    an error, a conflict, or an object that couldn't be written
  130  interrupted";

/// Bring all copies in step with their rules.
///
/// Makes missing copies, updates those whose original changed or that somebody edited, and deletes
/// those that no rule wants any more. Objects that aren't ours are left alone and reported. When
/// everything is in step, nothing is written.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct SyncArguments {
    /// Which rules.
    #[command(flatten)]
    pub rules: RuleArguments,
    /// Must be "none", "server", or "client": "client" only reads, "server" sends the writes for
    /// the API server to check but not to keep. Without a value, "client"
    #[arg(
        long,
        value_name = "STRATEGY",
        num_args = 0..=1,
        require_equals = true,
        default_value = "none",
        default_missing_value = "client",
        value_parser = values::dry_run
    )]
    pub dry_run: DryRun,
    /// How many objects are worked on at once (1 to 256)
    #[arg(long, value_name = "N", default_value = "24", value_parser = values::parallelism)]
    pub parallelism: usize,
    /// Output format. One of: (json, yaml, name, wide)
    #[arg(short, long, value_name = "FORMAT", value_parser = values::format)]
    pub output: Option<Format>,
}

/// Which rules a command works with, and how it looks at their copies.
#[derive(Args)]
pub struct RuleArguments {
    /// Names of rules in the cluster; all of them by default
    #[arg(value_name = "RULE", conflicts_with = "filenames")]
    pub names: Vec<String>,
    /// A file or directory with rules, or - for standard input; may be repeated
    #[arg(short = 'f', long = "filename", value_name = "FILE|DIR|-")]
    pub filenames: Vec<PathBuf>,
    /// Whether copies that no rule wants any more are deleted
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_value_t = true,
        default_missing_value = "true",
        action = clap::ArgAction::Set
    )]
    pub prune: bool,
    /// Read every copy whole instead of trusting its metadata
    #[arg(long)]
    pub verify: bool,
}
