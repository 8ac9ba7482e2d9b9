//! Which rules a command works on, and how: what `sync` and `diff` have in common.

use std::path::PathBuf;

use clap::{ArgAction, Args};

use super::values::boolean;

/// The rules, and how far a run over them goes.
#[derive(Args, Clone, Debug)]
pub struct RuleFlags {
    /// The rules in the cluster to work on, by name; all of them when none is named.
    #[arg(value_name = "RULE")]
    pub rules: Vec<String>,
    /// Rules from a file, a directory or, with -, standard input, in place of those in the cluster;
    /// repeat the flag for several.
    #[arg(short, long, value_name = "FILE", conflicts_with = "rules")]
    pub filename: Vec<PathBuf>,
    /// Remove copies that no rule asks for any more.
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true,
          default_value = "true", default_missing_value = "true", action = ArgAction::Set,
          value_parser = boolean)]
    pub prune: bool,
    /// Read every copy in full, rather than those alone whose metadata looks changed.
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true,
          default_value = "false", default_missing_value = "true", hide_default_value = true,
          action = ArgAction::Set, value_parser = boolean)]
    pub verify: bool,
    /// How many requests are in flight at most.
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub parallelism: u16,
}
