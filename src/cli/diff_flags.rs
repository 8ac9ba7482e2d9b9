//! How differences are told: what `diff` and `rates diff` have in common.

use clap::{ArgAction, Args};

use super::values::{boolean, colour, machine_format};
use crate::output::{ColourChoice, Format};

/// How differences are told.
#[derive(Args, Clone, Debug)]
pub struct DiffFlags {
    /// Show the values of Secrets.
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true,
          default_value = "false", default_missing_value = "true", hide_default_value = true,
          action = ArgAction::Set, value_parser = boolean)]
    pub show_secrets: bool,
    /// Print one document for programs to read: json or yaml.
    #[arg(short, long, value_name = "FORMAT", value_parser = machine_format)]
    pub output: Option<Format>,
    /// When to colour: auto (on a terminal, unless `NO_COLOR` is set), always or never.
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = colour)]
    pub color: ColourChoice,
}
