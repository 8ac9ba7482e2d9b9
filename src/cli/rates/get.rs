//! The arguments of `rates get`.

use clap::Args;

use super::{PairsArgument, ProviderFlags};
use crate::{cli::values::table_format, output::Format};

const EXAMPLES: &str = "\
Examples:
  # What a euro is in dollars and yen
  kubectl copyrator rates get EUR/USD,JPY

  # What 1250.50 dollars are in euros
  kubectl copyrator rates get USD/EUR 1250.50

  # For a script: exact numbers, as text
  kubectl copyrator rates get EUR/USD -o json

  # Currencies that the European Central Bank doesn't have
  kubectl copyrator rates get USD/KES --provider=Frankfurter

  # From a file or a mirror
  kubectl copyrator rates get EUR/USD --url=file:///srv/rates.json
  kubectl copyrator rates get EUR/USD --provider=ECB --url=https://mirror.example/eurofxref";

/// Show the latest exchange rates of currencies.
///
/// Needs no cluster. A rate that the provider gives for the pair is shown as it is; others are derived from
/// its rates, exactly, and rounded to ten significant digits. An amount is multiplied by the rate that
/// is shown, and rounded to the smallest unit of the other currency: halves up.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct GetArguments {
    /// The currencies, by their ISO 4217 codes: what one unit of BASE is in each QUOTE.
    #[arg(value_name = "BASE/QUOTE[,QUOTE...]")]
    pub pairs: PairsArgument,
    /// An amount of BASE to convert, such as 1250.50.
    #[arg(value_name = "AMOUNT")]
    pub amount: Option<String>,
    /// Who is asked.
    #[command(flatten)]
    pub provider: ProviderFlags,
    /// Print in another format: json, yaml or wide.
    #[arg(short, long, value_name = "FORMAT", value_parser = table_format)]
    pub output: Option<Format>,
}
