//! The engine without an end: what the cluster tells of changes is worked off, object by object.

mod follow;
mod monitor;
mod queue;

pub use monitor::Monitor;
