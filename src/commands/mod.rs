//! One file per verb: each wires a domain, the engine, a cluster and an output together.

mod connection;
mod controller;
mod copies;
pub mod crd;
mod deploy;
pub mod diff;
mod differing;
mod dispatch;
mod error;
mod interrupt;
mod limit;
mod needs;
mod planned;
pub mod prune;
mod rates;
mod rbac;
pub mod sync;
mod watching;
mod writing;

pub use dispatch::dispatch;
pub use error::CommandError;
