//! How far a run goes: what `sync` and `diff` have in common.

use clap::{ArgAction, Args};

use super::values::boolean;

/// How far a run over rules goes.
#[derive(Args, Clone, Debug)]
pub struct ReconcileFlags {
    /// Remove copies that no rule asks for any more.
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true,
          default_value = "true", default_missing_value = "true", action = ArgAction::Set,
          value_parser = boolean)]
    pub prune: bool,
    /// With -f: the files are the whole set, so remove also copies of rules that aren't in them.
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true,
          default_value = "false", default_missing_value = "true", hide_default_value = true,
          action = ArgAction::Set, value_parser = boolean)]
    pub prune_set: bool,
    /// Read every copy in full, rather than those alone whose metadata looks changed.
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true,
          default_value = "false", default_missing_value = "true", hide_default_value = true,
          action = ArgAction::Set, value_parser = boolean)]
    pub verify: bool,
}
