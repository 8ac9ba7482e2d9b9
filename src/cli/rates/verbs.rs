//! The verbs about exchange rates.

use clap::{Args, Subcommand};

use super::{DiffRatesArgs, PruneRatesArgs, RefreshArgs};

/// Publish exchange rates as ConfigMaps, and look at them.
///
/// An `ExchangeRate` is an object in the cluster or in a file. It names currencies, and who is asked for
/// their rates; a ConfigMap of its namespace then holds them.
#[derive(Args, Clone, Debug)]
#[command(arg_required_else_help = true)]
pub struct RatesArguments {
    /// What to do.
    #[command(subcommand)]
    pub command: RatesCommand,
}

/// The verbs.
#[derive(Clone, Debug, Subcommand)]
#[expect(
    missing_docs,
    reason = "the arguments' documentation is the help; one here would replace it"
)]
pub enum RatesCommand {
    Refresh(RefreshArgs),
    Diff(DiffRatesArgs),
    Prune(PruneRatesArgs),
}
