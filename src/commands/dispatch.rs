//! Runs the command that was typed.

use std::io;

use tokio_util::sync::CancellationToken;

use super::{CommandError, crd, deploy, diff, interrupt, prune, rates, rbac, sync};
use crate::{
    cli::{Cli, Command},
    exit::Ending,
    output::Streams,
};

/// Runs the command that was typed, until it ends or is interrupted.
pub fn dispatch(cli: &Cli, streams: &mut Streams) -> Result<Ending, CommandError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime
        .map_err(|error| unstartable(&error))?
        .block_on(run(cli, streams))
}

fn unstartable(error: &io::Error) -> CommandError {
    CommandError::Output(io::Error::new(
        error.kind(),
        format!("cannot start: {error}"),
    ))
}

async fn run(cli: &Cli, streams: &mut Streams) -> Result<Ending, CommandError> {
    let cancellation = CancellationToken::new();
    let listener = interrupt::listen(&cancellation);
    let result = match &cli.command {
        Command::Sync(arguments) => sync::run(arguments, &cli.kube, streams, &cancellation).await,
        Command::Diff(arguments) => diff::run(arguments, &cli.kube, streams, &cancellation).await,
        Command::Prune(arguments) => prune::run(arguments, &cli.kube, streams, &cancellation).await,
        Command::Rates(arguments) => {
            rates::run(&arguments.command, &cli.kube, streams, &cancellation).await
        }
        Command::Crd(arguments) => {
            let done = crd::run(&arguments.command, &cli.kube, streams, &cancellation).await;
            done.map(|()| Ending::Done)
        }
        Command::Deploy(arguments) => {
            deploy::run(arguments, &cli.kube, streams, &cancellation).await
        }
        Command::Rbac(arguments) => rbac::run(arguments, &cli.kube, streams, &cancellation).await,
    };
    listener.abort();
    result
}
