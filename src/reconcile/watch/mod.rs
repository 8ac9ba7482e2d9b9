//! The engine without an end: what the cluster tells of changes is worked off, object by object.

mod account;
mod backlog;
mod chores;
mod domain;
mod follow;
mod hear;
mod live;
mod monitor;
mod objects;
mod outage;
mod pass;
mod passes;
mod queue;
mod repairs;
mod rewritten;
#[cfg(test)]
mod scripted;
mod turns;

pub use domain::{Affected, ContinuousDomain, Followed};
pub(super) use follow::{Change, follow};
pub use live::{Ended, WatchOptions, watch};
pub use monitor::Monitor;
pub use queue::Priority;
