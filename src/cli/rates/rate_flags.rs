//! Which `ExchangeRate`s a command works on.

use std::path::PathBuf;

use clap::{ArgAction, Args};

use crate::cli::values::{boolean, set_name};

/// The `ExchangeRate`s.
#[derive(Args, Clone, Debug)]
pub struct RateFlags {
    /// The ExchangeRates of the namespace to work on, by name; all of it when none is named.
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// Work on the ExchangeRates of all namespaces.
    #[arg(short = 'A', long, value_name = "true|false", num_args = 0..=1, require_equals = true,
          default_value = "false", default_missing_value = "true", hide_default_value = true,
          action = ArgAction::Set, value_parser = boolean, conflicts_with_all = ["names", "filename"])]
    pub all_namespaces: bool,
    /// ExchangeRates from a file, a directory or, with -, standard input, in place of those in the cluster;
    /// repeat the flag for several.
    #[arg(short, long, value_name = "FILE", conflicts_with = "names")]
    pub filename: Vec<PathBuf>,
    /// The set that ExchangeRates from files belong to: sets never touch each other's ConfigMaps.
    /// [default: files]
    #[arg(long, value_name = "NAME", value_parser = set_name)]
    pub set: Option<String>,
    /// How many requests are in flight at most.
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub parallelism: u16,
}
