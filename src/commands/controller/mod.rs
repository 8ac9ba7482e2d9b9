//! `controller`: keeps everything in step for good.

mod definition;
mod election;
mod loops;
mod own_namespace;
mod run;

pub use run::{log_stopping, run};
