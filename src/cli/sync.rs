//! The flags of `sync`.

use clap::Args;

use super::{ReconcileFlags, RuleFlags, WatchFlags, WriteFlags};

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
  kubectl copyrator sync --prune=false

  # From a pipeline: the files are all that the team has, and it takes two minutes at most
  kubectl copyrator sync -f rules/ --set=team-a --prune-set --timeout=2m

  # Go on until Ctrl-C: serve new namespaces and copy what changes
  kubectl copyrator sync --watch";

/// Copy ConfigMaps and Secrets as the rules say.
///
/// Compares what the rules ask for with what the cluster holds, and makes the difference. A copy that
/// is in step is not written. Objects that are not ours are reported as conflicts and left alone, unless a
/// rule says to take them over. A failure in one namespace doesn't stop the others, and a second run continues.
///
/// Exits with 0 when everything is in step, and with 1 when something failed or is in conflict.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct SyncArgs {
    /// The rules.
    #[command(flatten)]
    pub rules: RuleFlags,
    /// How far it goes.
    #[command(flatten)]
    pub reconcile: ReconcileFlags,
    /// How it is done and told.
    #[command(flatten)]
    pub write: WriteFlags,
    /// Whether it goes on.
    #[command(flatten)]
    pub watch: WatchFlags,
}
