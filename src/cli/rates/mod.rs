//! The arguments of `kubectl copyrator rates`.

mod arguments;
mod chart;
mod get;
mod pairs;
mod provider_flags;

pub use arguments::{RatesArguments, RatesCommand};
pub use chart::ChartArguments;
pub use get::GetArguments;
pub use pairs::PairsArgument;
pub use provider_flags::ProviderFlags;
