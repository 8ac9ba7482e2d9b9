//! `rates`: the verbs about exchange rates.

mod diff;
mod permission_flags;
mod prune;
mod rate_flags;
mod refresh;
mod verbs;

pub use diff::DiffRatesArgs;
pub use permission_flags::PermissionFlags;
pub use prune::PruneRatesArgs;
pub use rate_flags::RateFlags;
pub use refresh::RefreshArgs;
pub use verbs::{RatesArguments, RatesCommand};
