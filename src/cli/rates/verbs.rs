//! The verbs about exchange rates.

use clap::{Args, Subcommand};

use super::{
    ChartArguments, CreateArguments, DiffRatesArgs, GetArguments, PruneRatesArgs, RefreshArgs,
};

const EXAMPLES: &str = "\
Examples:
  # Ask for a euro's rates in an ExchangeRate
  kubectl copyrator rates create eur --quotes=USD,JPY

  # Publish what the ExchangeRates of the current namespace ask for
  kubectl copyrator rates refresh

  # What a euro costs
  kubectl copyrator rates get EUR/USD,JPY

  # How that went in the last months
  kubectl copyrator rates chart EUR/USD";

/// Publish exchange rates as ConfigMaps, and look at them.
///
/// An ExchangeRate is an object in the cluster or in a file. It names currencies, and who is asked for
/// their rates; a ConfigMap of its namespace then holds them. The rates are those of central banks and the
/// like: once a day, for information, not for trading.
#[derive(Args, Clone, Debug)]
#[command(arg_required_else_help = true, after_help = EXAMPLES)]
pub struct RatesArguments {
    /// What to do with rates.
    #[command(subcommand)]
    pub command: RatesCommand,
}

/// What to do with rates.
#[derive(Clone, Debug, Subcommand)]
#[expect(
    missing_docs,
    reason = "the arguments' documentation is the help; one here would replace it"
)]
pub enum RatesCommand {
    Create(Box<CreateArguments>),
    Refresh(RefreshArgs),
    Diff(DiffRatesArgs),
    Prune(PruneRatesArgs),
    Get(GetArguments),
    Chart(ChartArguments),
}
