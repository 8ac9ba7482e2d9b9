//! The flags of `diff`.

use clap::Args;

use super::{DiffFlags, ReconcileFlags, RuleFlags};

const EXAMPLES: &str = "\
Examples:
  # Show what a sync of all the rules in the cluster would change
  kubectl copyrator diff

  # Show what the rules in a file would change
  kubectl copyrator diff -f rules.yaml

  # Show the values of Secrets too
  kubectl copyrator diff --show-secrets

  # Use another program to show the differences
  KUBECTL_EXTERNAL_DIFF=\"colordiff -N -u\" kubectl copyrator diff";

/// Show what a sync would change, without changing anything.
///
/// Prints one difference for each object that `sync` would create, change or delete. The values of
/// Secrets are replaced by asterisks.
///
/// Exits with 0 when there is no difference, with 1 when there is one, and with 2 on an error.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct DiffArgs {
    /// The rules.
    #[command(flatten)]
    pub rules: RuleFlags,
    /// How far the sync would go.
    #[command(flatten)]
    pub reconcile: ReconcileFlags,
    /// How it is told.
    #[command(flatten)]
    pub diff: DiffFlags,
}
