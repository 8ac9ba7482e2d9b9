//! The arguments of `rates create`.

use clap::Args;

use crate::{
    cli::{
        Complaint,
        values::{dry_run, object_format},
    },
    output::{DryRun, Format},
};

const EXAMPLES: &str = "\
Examples:
  # Publish what a euro is in dollars and yen, in the ConfigMap eur
  kubectl copyrator rates create eur --quotes=USD,JPY

  # Be asked for what is missing
  kubectl copyrator rates create

  # Write a manifest for git, with a history of 90 days
  kubectl copyrator rates create usd --base=USD --quotes=EUR --history=90 --dry-run -o yaml > usd.yaml

  # Ask a provider that wants a key, which a Secret holds, and then the ECB
  kubectl copyrator rates create eur --quotes=USD --provider=OpenExchangeRates,ECB \\
    --provider-key=OpenExchangeRates=oxr/app-id

  # Ask a mirror
  kubectl copyrator rates create eur --quotes=USD --provider=ECB=https://mirror.example/eurofxref";

/// Create an ExchangeRate.
///
/// Whatever isn't given is left out of its spec, and so is as it usually is. On a terminal, the name and the
/// quotes are asked for when they are missing. Its rates are published by the next refresh.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct CreateArguments {
    /// The name of the ExchangeRate, and of its ConfigMap unless --config-map is given.
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// The currency whose unit is priced, by its ISO 4217 code. [default: EUR]
    #[arg(long, value_name = "CODE", value_parser = currency)]
    pub base: Option<String>,
    /// The currencies in which it is priced.
    #[arg(long, value_name = "CODE,...", value_delimiter = ',', value_parser = currency)]
    pub quotes: Vec<String>,
    /// Who is asked, in this order, and where if not at its own address. [default: ECB,Frankfurter]
    #[arg(long = "provider", value_name = "TYPE[=URL],...", value_delimiter = ',',
          value_parser = provider)]
    pub providers: Vec<ProviderArgument>,
    /// The Secret of the namespace that has a provider's key, and the key in its data.
    #[arg(long = "provider-key", value_name = "TYPE=SECRET/KEY", value_parser = provider_key)]
    pub provider_keys: Vec<ProviderKeyArgument>,
    /// The name of the ConfigMap.
    #[arg(long, value_name = "NAME")]
    pub config_map: Option<String>,
    /// A label of the ConfigMap; repeat the flag for several.
    #[arg(long = "label", value_name = "KEY=VALUE", value_parser = key_value)]
    pub labels: Vec<(String, String)>,
    /// An annotation of the ConfigMap; repeat the flag for several.
    #[arg(long = "annotation", value_name = "KEY=VALUE", value_parser = key_value)]
    pub annotations: Vec<(String, String)>,
    /// What the ConfigMap holds: rate, inverse, date, quotes, rates.json, rates.env, rates.csv,
    /// history.csv. [default: all]
    #[arg(long, value_name = "KEY,...", value_delimiter = ',')]
    pub keys: Vec<String>,
    /// How many days of rates are kept. [default: 0]
    #[arg(long, value_name = "DAYS")]
    pub history: Option<u32>,
    /// By how much a rate may change before it is refused. [default: 25%]
    #[arg(long, value_name = "PERCENTAGE")]
    pub max_change: Option<String>,
    /// After how many of the provider's days rates are stale. [default: 3]
    #[arg(long, value_name = "DAYS")]
    pub max_age: Option<u32>,
    /// When they are refreshed: a cron expression.
    #[arg(long, value_name = "CRON")]
    pub schedule: Option<String>,
    /// Let it rest until somebody sets suspend to false.
    #[arg(long)]
    pub suspend: bool,
    /// Only print what would be created (client), or let the API server check it as well (server).
    #[arg(long, value_name = "none|client|server", num_args = 0..=1, require_equals = true,
          default_value = "none", default_missing_value = "client", hide_default_value = true,
          value_parser = dry_run)]
    pub dry_run: DryRun,
    /// Print in another format: json, yaml or name.
    #[arg(short, long, value_name = "FORMAT", value_parser = object_format)]
    pub output: Option<Format>,
}

/// A provider, and perhaps where it is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderArgument {
    /// Its type.
    pub kind: String,
    /// Where it is asked.
    pub url: Option<String>,
}

/// Where a provider's key is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderKeyArgument {
    /// The type of the provider.
    pub kind: String,
    /// The Secret.
    pub secret: String,
    /// The key in its data.
    pub key: String,
}

/// A code in capital letters, however it was typed. Whether there is such a currency is checked later.
#[expect(
    clippy::unnecessary_wraps,
    reason = "clap's value parsers give a Result"
)]
fn currency(text: &str) -> Result<String, Complaint> {
    Ok(text.trim().to_ascii_uppercase())
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "clap's value parsers give a Result"
)]
fn provider(text: &str) -> Result<ProviderArgument, Complaint> {
    let (kind, url) = match text.split_once('=') {
        Some((kind, url)) => (kind, Some(url.to_owned())),
        None => (text, None),
    };
    let kind = kind.to_owned();
    Ok(ProviderArgument { kind, url })
}

fn provider_key(text: &str) -> Result<ProviderKeyArgument, Complaint> {
    let parsed = text.split_once('=').and_then(|(kind, place)| {
        let (secret, key) = place.split_once('/')?;
        Some(ProviderKeyArgument {
            kind: kind.to_owned(),
            secret: secret.to_owned(),
            key: key.to_owned(),
        })
    });
    parsed.ok_or_else(|| {
        Complaint(format!(
            "invalid provider key {text:?}: it must be TYPE=SECRET/KEY, such as \
             OpenExchangeRates=oxr/app-id"
        ))
    })
}

fn key_value(text: &str) -> Result<(String, String), Complaint> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err(Complaint(format!(
            "invalid pair {text:?}: it must be KEY=VALUE, such as team=blue"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn providers_may_have_an_address() {
        let parsed = |text| provider(text).unwrap();
        assert_eq!(parsed("ECB").url, None);
        let url = "https://mirror.example/?a=b";
        assert_eq!(
            parsed(&format!("ECB={url}")),
            ProviderArgument {
                kind: "ECB".to_owned(),
                url: Some(url.to_owned())
            }
        );
    }

    #[test]
    fn keys_are_in_a_secret() {
        let parsed = provider_key("OpenExchangeRates=oxr/app-id").unwrap();
        assert_eq!((&*parsed.secret, &*parsed.key), ("oxr", "app-id"));
        for text in ["OpenExchangeRates", "oxr/app-id", "OpenExchangeRates=oxr"] {
            assert!(provider_key(text).is_err(), "{text}");
        }
        assert!(key_value("=a").is_err() && key_value("a").is_err());
        assert_eq!(key_value("a=").unwrap().1, "");
    }
}
