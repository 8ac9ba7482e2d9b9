//! kubectl-copyrator: copies ConfigMaps and Secrets to the namespaces that rules name.

use std::process::ExitCode;

pub mod api;
pub mod cli;
pub mod cluster;
pub mod copy;
pub mod output;
pub mod reconcile;

/// Runs the program on the process's arguments.
pub fn run() -> ExitCode {
    ExitCode::SUCCESS
}
