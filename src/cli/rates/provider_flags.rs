//! Who is asked for rates.

use std::{path::PathBuf, time::Duration};

use clap::Args;

use crate::cli::values::timeout;

const PROVIDERS: &str = "\
Who is asked, in this order, until one has all that is wanted: ECB, Frankfurter, FrankfurterV1, \
OpenERAPI, OpenExchangeRates, ExchangeRateHost or URL; ECB and then Frankfurter if none is given";

/// Who is asked for rates.
#[derive(Args, Clone, Debug)]
pub struct ProviderFlags {
    /// Who is asked, in this order.
    #[arg(long = "provider", value_name = "NAME", value_delimiter = ',', help = PROVIDERS)]
    pub providers: Vec<String>,
    /// Ask here instead of at the provider's own address: http:// or https://. Without --provider, and
    /// with the provider URL, it is the address of rates in one of the published forms, and may be a
    /// file://, too.
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// Trust the certificates in this PEM file, too.
    #[arg(long, value_name = "FILE")]
    pub provider_ca: Option<PathBuf>,
    /// How long a provider may take, with a unit (30s, 1m); 0 means no limit.
    #[arg(long, value_name = "DURATION", default_value = "30s", value_parser = timeout)]
    pub timeout: Duration,
}
