//! How providers are asked, and what the objects of a cluster may have us read.

use std::path::PathBuf;

use clap::{ArgAction, Args};

use crate::cli::values::boolean;

/// How providers are asked.
#[derive(Args, Clone, Debug)]
pub struct PermissionFlags {
    /// Ask this provider in place of those in the specs, however a spec says that it is asked; repeat the
    /// flag for others to fall back on.
    #[arg(long, value_name = "TYPE")]
    pub provider: Vec<String>,
    /// Ask all providers anew, also one that had nothing new to be expected.
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true,
          default_value = "false", default_missing_value = "true", hide_default_value = true,
          action = ArgAction::Set, value_parser = boolean)]
    pub no_cache: bool,
    /// Trust the certificates in this PEM file, too, when providers are asked.
    #[arg(long, value_name = "FILE")]
    pub provider_ca: Option<PathBuf>,
    /// Let ExchangeRates in the cluster name files in this directory (file:///...); repeat the flag for
    /// several. Those from files of your own may name any.
    #[arg(long, value_name = "DIR")]
    pub allow_files: Vec<PathBuf>,
    /// Which addresses ExchangeRates in the cluster may name beyond the providers' own: none, public (those
    /// of the internet, over https), any, or those that begin with a URL; repeat the flag for several.
    #[arg(long, value_name = "none|public|any|URL", default_value = "any")]
    pub allow_urls: Vec<String>,
    /// Let ExchangeRates in the cluster name Secrets of their namespace that hold a provider's key.
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true,
          default_value = "true", default_missing_value = "true", action = ArgAction::Set,
          value_parser = boolean)]
    pub allow_secrets: bool,
}
