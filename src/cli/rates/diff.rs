//! The flags of `rates diff`.

use clap::Args;

use super::{PermissionFlags, RateFlags};
use crate::cli::{DiffFlags, ReconcileFlags};

const EXAMPLES: &str = "\
Examples:
  # Show what a refresh of the current namespace would change
  kubectl copyrator rates diff

  # Show what the ExchangeRates in a file would publish
  kubectl copyrator rates diff -f rates.yaml -n shop";

/// Show what a refresh would change, without changing anything.
///
/// Asks the providers as `rates refresh` does, and prints one difference for each ConfigMap that it would
/// create, change or delete.
///
/// Exits with 0 when there is no difference, with 1 when there is one, and with 2 on an error.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct DiffRatesArgs {
    /// The ExchangeRates.
    #[command(flatten)]
    pub rates: RateFlags,
    /// How providers are asked.
    #[command(flatten)]
    pub permissions: PermissionFlags,
    /// How far the refresh would go.
    #[command(flatten)]
    pub reconcile: ReconcileFlags,
    /// How it is told.
    #[command(flatten)]
    pub diff: DiffFlags,
}
