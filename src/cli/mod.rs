//! What can be typed: clap's types, and nothing else.

mod diff;
mod kube_flags;
mod parse;
mod sync;
mod values;

use clap::{Parser, Subcommand};

pub use diff::DiffArguments;
pub use kube_flags::KubeFlags;
pub use parse::{Refused, parse};
pub use sync::{RuleArguments, SyncArguments};

/// Copies ConfigMaps and Secrets across namespaces by rule.
///
/// Rules say which objects are copied and which namespaces get copies. Nothing that isn't ours is
/// ever touched, nothing is written when nothing changed, and `diff` shows the plan first.
#[derive(Parser)]
#[command(
    name = "kubectl-copyrator",
    bin_name = "kubectl copyrator",
    version,
    propagate_version = false,
    disable_help_subcommand = true,
    max_term_width = 100,
    after_help = EXAMPLES
)]
pub struct Cli {
    /// The connection to the cluster.
    #[command(flatten)]
    pub kube: KubeFlags,
    /// How much is logged on standard error: 0 warnings, 4 what is done, 6 every request, 9 all.
    /// Secret values are never logged.
    #[arg(
        short = 'v',
        long = "v",
        value_name = "LEVEL",
        global = true,
        default_value_t = 0,
        hide_default_value = true,
        help_heading = "Other options"
    )]
    pub verbosity: u8,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  # Let the cluster hold rules
  kubectl copyrator crd install

  # Show what the rules of the cluster would change, then do it
  kubectl copyrator diff
  kubectl copyrator sync

  # Copy by a rule from a file; the cluster needs nothing installed
  kubectl copyrator sync -f rule.yaml";

/// The verbs.
#[derive(Subcommand)]
pub enum Command {
    /// Bring all copies in step with their rules
    Sync(SyncArguments),
    /// Show what `sync` would change
    Diff(DiffArguments),
}
