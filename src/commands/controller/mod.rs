//! `controller`: keeps everything in step for good.

mod announcing;
mod definition;
mod election;
mod feeds;
mod loops;
mod own_namespace;
mod rate_metrics;
mod run;

pub use run::{log_stopping, run};
