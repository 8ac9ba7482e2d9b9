//! How far a run goes: what `sync` and `diff` have in common.

use clap::{ArgAction, Args};

use super::values::boolean;

/// How far a run goes.
#[derive(Args, Clone, Debug)]
pub struct ReconcileFlags {
    /// Remove what was made and isn't asked for any more.
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true,
          default_value = "true", default_missing_value = "true", action = ArgAction::Set,
          value_parser = boolean)]
    pub prune: bool,
    /// With -f: the files are the whole set, so remove also what was made for others that were in it.
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true,
          default_value = "false", default_missing_value = "true", hide_default_value = true,
          action = ArgAction::Set, value_parser = boolean)]
    pub prune_set: bool,
    /// Read all that was made in full, rather than only what looks changed by its metadata.
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true,
          default_value = "false", default_missing_value = "true", hide_default_value = true,
          action = ArgAction::Set, value_parser = boolean)]
    pub verify: bool,
}
