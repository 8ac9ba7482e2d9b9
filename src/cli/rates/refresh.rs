//! The flags of `rates refresh`.

use clap::Args;

use super::{PermissionFlags, RateFlags};
use crate::cli::{ReconcileFlags, WatchFlags, WriteFlags};

const EXAMPLES: &str = "\
Examples:
  # Refresh what the ExchangeRates of the current namespace publish
  kubectl copyrator rates refresh

  # Those of all namespaces, from cron: stale rates end with 3, whatever else fails with 1
  kubectl copyrator rates refresh -A --exit-stale=3 --timeout=2m

  # Use ExchangeRates in a file, without any in the cluster
  kubectl copyrator rates refresh -f rates.yaml -n shop

  # See what would be written
  kubectl copyrator rates refresh --dry-run

  # Ask another provider this time
  kubectl copyrator rates refresh eur --provider=Frankfurter

  # Go on until Ctrl-C: serve new ExchangeRates, and publish new rates when their providers have them
  kubectl copyrator rates refresh -A --watch";

/// Publish the latest exchange rates.
///
/// Asks the providers that the ExchangeRates name, one after the other until one has good rates, each of
/// them once for all ExchangeRates, and writes the ConfigMaps whose rates have changed. When no provider
/// has good rates the last good ones stay, and are marked once they are older than maxAge.
///
/// Exits with 0 when all rates are published, with 1 when something failed or is in conflict, and, when all
/// that is wrong is rates that are too old, with the code of --exit-stale.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct RefreshArgs {
    /// The ExchangeRates.
    #[command(flatten)]
    pub rates: RateFlags,
    /// How providers are asked.
    #[command(flatten)]
    pub permissions: PermissionFlags,
    /// The exit code when rates are too old; 0 to take them for good.
    #[arg(long, value_name = "CODE", default_value_t = 1)]
    pub exit_stale: u8,
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
