//! A test's own corner of the shared control plane, and the program run against it.

mod corner;
mod objects;
mod program;
mod proxy;
mod rules;

pub use corner::Sandbox;
pub use objects::{annotation, configmap, label, secret, text};
pub use program::{Invocation, Ran};
pub use proxy::Fault;
pub use rules::and;
