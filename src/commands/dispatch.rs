//! Runs the command that was typed.

use std::future::Future;

use super::{CommandError, crd, diff, sync};
use crate::{
    cli::{Cli, Command},
    exit::Ending,
    output::Streams,
};

/// Runs a command to its end.
pub fn run(cli: &Cli, streams: &mut Streams) -> Result<Ending, CommandError> {
    let kube = &cli.kube;
    match &cli.command {
        Command::Sync(arguments) => block_on(sync::run(arguments, kube, streams)),
        Command::Diff(arguments) => block_on(diff::run(arguments, kube, streams)),
        Command::Crd(arguments) => crd::run(&arguments.command, kube, streams),
    }
}

/// Runs a future on this thread: we mostly wait for the API server.
pub(super) fn block_on<T>(
    future: impl Future<Output = Result<T, CommandError>>,
) -> Result<T, CommandError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(CommandError::Runtime)?;
    let result = runtime.block_on(future);
    // A credential plugin that still waits for somebody to type must not hold us back.
    runtime.shutdown_background();
    result
}
