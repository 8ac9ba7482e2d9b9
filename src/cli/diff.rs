//! The flags of `diff`.

use clap::Args;

use super::{RuleArguments, values};
use crate::output::{ColourChoice, Format};

const EXAMPLES: &str = "\
Examples:
  # Show what `sync` would change, with the rules of the cluster
  kubectl copyrator diff

  # The same with a rule from a file
  kubectl copyrator diff -f rule.yaml

  # The plan for a program to read; values never appear in it
  kubectl copyrator diff -o json

Exit codes:
  0    everything is in step
  1    there are differences, or objects in the way that aren't ours
  2    an error

The values of Secrets are masked. KUBECTL_EXTERNAL_DIFF names a program to use instead, as with kubectl diff.";

/// Show what `sync` would change.
///
/// Prints the differences between the copies as they are and as they should be. Nothing is written.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct DiffArguments {
    /// Which rules.
    #[command(flatten)]
    pub rules: RuleArguments,
    /// Show the values of Secrets instead of masking them
    #[arg(long)]
    pub show_secrets: bool,
    /// When to colour. One of: (auto, always, never)
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = values::colour)]
    pub color: ColourChoice,
    /// Print the plan instead of differences. One of: (json, yaml)
    #[arg(short, long, value_name = "FORMAT", value_parser = values::plan_format, conflicts_with = "show_secrets")]
    pub output: Option<Format>,
}
