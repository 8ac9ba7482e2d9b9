//! The verbs: each wires a domain, the engine, a cluster and the output together.

mod connection;
mod crd;
mod diff;
mod dispatch;
mod error;
mod sync;

pub use connection::connect;
pub use dispatch::run;
pub use error::{CommandError, ServerError};
