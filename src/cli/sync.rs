//! The flags of `sync`.

use clap::Args;

use super::{
    RuleFlags,
    values::{any_format, dry_run},
};
use crate::output::{DryRun, Format};

const EXAMPLES: &str = "\
Examples:
  # Copy what all the rules in the cluster ask for, and remove copies that none asks for any more
  kubectl copyrator sync

  # Work on two rules only
  kubectl copyrator sync pull-secrets ca-bundle

  # Use the rules in a file or a directory, without any rule in the cluster
  kubectl copyrator sync -f rules/

  # Let the API server check every change, without keeping any
  kubectl copyrator sync --dry-run=server

  # Add and update copies, but remove none
  kubectl copyrator sync --prune=false";

/// Copy ConfigMaps and Secrets as the rules say.
///
/// Compares what the rules ask for with what the cluster holds, and makes the difference. A copy that
/// is in step is not written, and objects that are not ours are never touched: they are reported as
/// conflicts. A failure in one namespace doesn't stop the others, and a second run continues.
///
/// Exits with 0 when everything is in step, and with 1 when something failed or is in conflict.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct SyncArgs {
    /// The rules.
    #[command(flatten)]
    pub rules: RuleFlags,
    /// Only say what would be done: on its own or as client nothing is sent; as server the API server
    /// checks the changes but doesn't keep them.
    #[arg(long, value_name = "none|client|server", num_args = 0..=1, require_equals = true,
          default_value = "none", default_missing_value = "client", hide_default_value = true,
          value_parser = dry_run)]
    pub dry_run: DryRun,
    /// Print in another format: json, yaml, name or wide.
    #[arg(short, long, value_name = "FORMAT", value_parser = any_format)]
    pub output: Option<Format>,
}
