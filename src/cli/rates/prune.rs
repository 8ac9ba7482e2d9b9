//! The flags of `rates prune`.

use clap::{ArgAction, Args};

use super::RateFlags;
use crate::cli::{WriteFlags, values::boolean};

const EXAMPLES: &str = "\
Examples:
  # Remove what two ExchangeRates of the namespace publish
  kubectl copyrator rates prune eur usd

  # Remove what the ExchangeRates in a file have published
  kubectl copyrator rates prune -f rates.yaml -n shop

  # Remove all that was ever published in the namespace from the cluster's ExchangeRates
  kubectl copyrator rates prune --all";

/// Remove ConfigMaps of rates on purpose.
///
/// Removes what the ExchangeRates publish, whether or not they still exist. A refresh removes by itself what
/// no ExchangeRate wants any more.
///
/// Exits with 0 when all is removed, and with 1 when something failed.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct PruneRatesArgs {
    /// The ExchangeRates.
    #[command(flatten)]
    pub rates: RateFlags,
    /// Remove what all ExchangeRates of the namespace (with -A: of all namespaces) publish.
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true,
          default_value = "false", default_missing_value = "true", hide_default_value = true,
          action = ArgAction::Set, value_parser = boolean)]
    pub all: bool,
    /// How it is done and told.
    #[command(flatten)]
    pub write: WriteFlags,
}
