//! `rates`: the verbs about exchange rates.

mod chart;
mod create;
mod diff;
mod get;
mod pairs;
mod permission_flags;
mod provider_flags;
mod prune;
mod rate_flags;
mod refresh;
mod verbs;

pub use chart::ChartArguments;
pub use create::{CreateArguments, ProviderArgument, ProviderKeyArgument};
pub use diff::DiffRatesArgs;
pub use get::GetArguments;
pub use pairs::PairsArgument;
pub use permission_flags::PermissionFlags;
pub use provider_flags::ProviderFlags;
pub use prune::PruneRatesArgs;
pub use rate_flags::RateFlags;
pub use refresh::RefreshArgs;
pub use verbs::{RatesArguments, RatesCommand};
