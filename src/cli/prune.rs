//! The flags of `prune`.

use clap::{ArgAction, Args};

use super::{RuleFlags, WriteFlags, values::boolean};

const EXAMPLES: &str = "\
Examples:
  # Remove copies that no rule in the cluster asks for any more, and do nothing else
  kubectl copyrator prune

  # Remove all copies of a rule, whether or not it still exists
  kubectl copyrator prune pull-secrets

  # Remove all copies of the rules in a file
  kubectl copyrator prune -f rules.yaml

  # Remove all copies that were made by rules in the cluster
  kubectl copyrator prune --all";

/// Remove copies.
///
/// Without arguments it removes the copies that no rule in the cluster asks for, as `sync` does, and
/// leaves the others as they are.
///
/// With rules, files or --all it removes the copies of those rules on purpose: whether the rules still
/// ask for them, whether they exist at all, and whatever their `prunePolicy` is. Delete or suspend the
/// rules first, or the next sync makes the copies anew. Objects that were taken over and not made are
/// never deleted: they lose our marks.
///
/// Exits with 0 when everything was removed, and with 1 when something failed.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct PruneArgs {
    /// The rules.
    #[command(flatten)]
    pub rules: RuleFlags,
    /// The copies of all rules of the set: of those in the cluster, or with --set of those from files.
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true,
          default_value = "false", default_missing_value = "true", hide_default_value = true,
          action = ArgAction::Set, value_parser = boolean)]
    pub all: bool,
    /// How it is done and told.
    #[command(flatten)]
    pub write: WriteFlags,
}
