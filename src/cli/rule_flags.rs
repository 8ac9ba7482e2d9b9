//! Which rules a command works on: what `sync`, `diff` and `prune` have in common.

use std::path::PathBuf;

use clap::Args;

use super::values::set_name;

/// The rules.
#[derive(Args, Clone, Debug)]
pub struct RuleFlags {
    /// The rules in the cluster to work on, by name; all of them when none is named.
    #[arg(value_name = "RULE")]
    pub rules: Vec<String>,
    /// Rules from a file, a directory or, with -, standard input, in place of those in the cluster;
    /// repeat the flag for several.
    #[arg(short, long, value_name = "FILE", conflicts_with = "rules")]
    pub filename: Vec<PathBuf>,
    /// The set that rules from files belong to: sets never touch each other's copies. [default: files]
    #[arg(long, value_name = "NAME", value_parser = set_name)]
    pub set: Option<String>,
    /// How many requests are in flight at most.
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub parallelism: u16,
}
