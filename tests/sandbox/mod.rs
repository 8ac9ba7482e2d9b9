//! A test's own corner of the shared control plane, and the program run against it.

mod corner;
mod objects;
mod program;
mod proxy;

pub use corner::Sandbox;
pub use objects::{configmap, secret};
pub use program::{Invocation, Ran};
pub use proxy::Fault;
