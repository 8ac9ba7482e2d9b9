//! kubectl-copyrator: copies ConfigMaps and Secrets to the namespaces that rules name.

use std::process::ExitCode;

pub mod api;
pub mod cluster;
pub mod commands;
pub mod copy;
pub mod logging;
pub mod output;
pub mod reconcile;

/// Runs the program on the process's arguments.
pub fn run() -> ExitCode {
    use clap::Parser;
    let arguments = commands::sync::Provisional::parse();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let code = runtime.block_on(commands::sync::run(arguments));
    ExitCode::from(u8::try_from(code).unwrap())
}
