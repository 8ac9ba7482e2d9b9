//! `controller`: keeps everything in step for good.

mod announcing;
mod definition;
mod election;
mod loops;
mod own_namespace;
mod rates;
mod run;

pub use run::{log_stopping, run};
