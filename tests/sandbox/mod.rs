//! A test's own corner of the shared control plane, and the program run against it.

mod corner;
mod eventually;
mod fault;
mod objects;
mod planted;
mod program;
mod proxy;
mod rules;
mod running;
mod streamed;

pub use corner::Sandbox;
pub use eventually::eventually;
pub use fault::Fault;
pub use objects::{annotation, configmap, label, secret, text};
pub use planted::{is_seen, planted};
pub use program::{Invocation, Process, Ran};
pub use proxy::Proxy;
pub use rules::and;
pub use running::{PATIENCE, Running};
