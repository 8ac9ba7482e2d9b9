//! The verbs of `kubectl copyrator rates`.

use clap::{Args, Subcommand};

use super::{ChartArguments, GetArguments};

/// Show exchange rates.
///
/// The rates are those of central banks and the like: once a day, for information, not for trading.
#[derive(Args, Clone, Debug)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:
  # What a euro costs
  kubectl copyrator rates get EUR/USD,JPY

  # How that went in the last months
  kubectl copyrator rates chart EUR/USD"
)]
pub struct RatesArguments {
    /// What to do with rates.
    #[command(subcommand)]
    pub command: RatesCommand,
}

/// What to do with rates.
#[derive(Subcommand, Clone, Debug)]
#[expect(
    missing_docs,
    reason = "the arguments' documentation is the help; one here would replace it"
)]
pub enum RatesCommand {
    Get(GetArguments),
    Chart(ChartArguments),
}
