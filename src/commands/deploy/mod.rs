//! `deploy`: lets the program run in the cluster.

mod apply;
mod error;
mod leftovers;
mod run;
mod settings;

pub use error::DeployError;
pub use run::{print, run};
pub use settings::namespace;
