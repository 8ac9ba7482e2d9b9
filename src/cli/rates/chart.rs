//! The arguments of `rates chart`.

use std::path::PathBuf;

use clap::Args;

use super::{PairsArgument, ProviderFlags};
use crate::{cli::Complaint, output::ChartFormat};

const EXAMPLES: &str = "\
Examples:
  # How the euro went in dollars in the last 90 days
  kubectl copyrator rates chart EUR/USD

  # In the last year, as a picture
  kubectl copyrator rates chart EUR/USD --days=365 --svg=eur-usd.svg

  # The history that an ExchangeRate publishes
  kubectl get configmap eur-rates -o jsonpath='{.data.history\\.csv}' > history.csv
  kubectl copyrator rates chart EUR/USD --url=file://$PWD/history.csv";

/// Draw how an exchange rate went.
///
/// Needs no cluster. Draws with letters of the width of the terminal: with dots where the locale is one
/// of UTF-8, and otherwise with asterisks.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ChartArguments {
    /// The two currencies, by their ISO 4217 codes: what one unit of BASE is in QUOTE.
    #[arg(value_name = "BASE/QUOTE")]
    pub pair: PairsArgument,
    /// How many days up to the latest one, from 2 to 3660.
    #[arg(long, value_name = "NUMBER", default_value_t = 90,
          value_parser = clap::value_parser!(u16).range(2..=3660))]
    pub days: u16,
    /// Write an SVG picture to this file.
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    pub svg: Option<PathBuf>,
    /// Print in another format: svg.
    #[arg(short, long, value_name = "FORMAT", value_parser = chart_format)]
    pub output: Option<ChartFormat>,
    /// Who is asked.
    #[command(flatten)]
    pub provider: ProviderFlags,
}

fn chart_format(text: &str) -> Result<ChartFormat, Complaint> {
    match text {
        "svg" => Ok(ChartFormat::Svg),
        _ => Err(Complaint(format!(
            "unable to match a printer suitable for the output format {text:?}, \
             allowed formats are: svg"
        ))),
    }
}
