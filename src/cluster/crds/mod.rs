//! Our CustomResourceDefinitions in a cluster: read, compared, written, deleted and counted.

mod comparison;
mod count;
mod installed;
mod requests;
mod wanted;

pub use count::Made;
pub use installed::{Condition, InstalledDefinition};
pub use requests::Definitions;
pub use wanted::WantedDefinition;
