//! The flags of `diff`.

use clap::{ArgAction, Args};

use super::{
    ReconcileFlags, RuleFlags,
    values::{boolean, colour, machine_format},
};
use crate::output::{ColourChoice, Format};

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
    /// Show the values of Secrets.
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true,
          default_value = "false", default_missing_value = "true", hide_default_value = true,
          action = ArgAction::Set, value_parser = boolean)]
    pub show_secrets: bool,
    /// Print one document for programs to read: json or yaml.
    #[arg(short, long, value_name = "FORMAT", value_parser = machine_format)]
    pub output: Option<Format>,
    /// When to colour: auto (on a terminal, unless `NO_COLOR` is set), always or never.
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = colour)]
    pub color: ColourChoice,
}
