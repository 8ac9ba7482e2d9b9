//! Which of the program's tasks are meant: what `deploy` and `rbac` have in common.

use clap::{ArgAction, Args, ValueEnum};

use super::values::boolean;

/// The tasks.
#[derive(Args, Clone, Debug)]
pub struct PartFlags {
    /// What is done: rules (copies), rates (exchange rates), or both.
    #[arg(long, value_enum, value_name = "rules,rates", value_delimiter = ',', default_values_t = [Part::Rules, Part::Rates], hide_default_value = true)]
    pub only: Vec<Part>,
    /// Copy by this rule of the cluster only; repeat the flag for several.
    #[arg(long = "rule", value_name = "NAME")]
    pub rules: Vec<String>,
    /// Let ExchangeRates name Secrets of their namespace that hold a provider's key.
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true,
          default_value = "true", default_missing_value = "true", action = ArgAction::Set,
          value_parser = boolean)]
    pub allow_secrets: bool,
}

/// One of the program's tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Copies by rule.
    Rules,
    /// Exchange rates.
    Rates,
}
