//! A test's own corner of the shared control plane, and the program run against it.

mod corner;
mod fault;
mod objects;
mod planted;
mod program;
mod proxy;

pub use corner::Sandbox;
pub use fault::Fault;
pub use objects::{configmap, secret};
pub use planted::{is_seen, planted};
pub use program::{Invocation, Process, Ran};
pub use proxy::Proxy;
