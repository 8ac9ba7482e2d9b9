//! Our CustomResourceDefinitions in the cluster: installs them, checks them, removes them.

mod counts;
mod definitions;
mod error;
mod standing;
mod wait;

pub use counts::Count;
pub use definitions::{Definitions, Existing};
pub use error::CrdError;
pub use standing::{Readiness, Standing};
