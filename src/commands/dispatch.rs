//! Runs the command that was typed.

use std::io;

use tokio_util::sync::CancellationToken;

use super::{CommandError, controller, crd, deploy, diff, interrupt, prune, rates, rbac, sync};
use crate::{
    cli::{Cli, Command, controller::ControllerCommand},
    exit::Ending,
    output::{self, Streams},
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
    let say_stopping = match &cli.command {
        Command::Controller(_) => controller::log_stopping,
        _ => output::say_stopping,
    };
    let listener = interrupt::listen(&cancellation, say_stopping);
    let result = match &cli.command {
        Command::Sync(arguments) => sync::run(arguments, &cli.kube, streams, &cancellation).await,
        Command::Diff(arguments) => diff::run(arguments, &cli.kube, streams, &cancellation).await,
        Command::Prune(arguments) => prune::run(arguments, &cli.kube, streams, &cancellation).await,
        Command::Rates(arguments) => {
            rates::run(&arguments.command, &cli.kube, streams, &cancellation).await
        }
        Command::Controller(arguments) => {
            let ControllerCommand::Run(arguments) = &arguments.command;
            controller::run(arguments, &cli.kube, &cancellation).await
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
