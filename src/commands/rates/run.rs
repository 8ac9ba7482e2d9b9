//! Runs the verb about exchange rates that was typed.

use tokio_util::sync::CancellationToken;

use super::{diff, prune, refresh};
use crate::{
    cli::{KubeFlags, rates::RatesCommand},
    commands::CommandError,
    exit::Ending,
    output::Streams,
};

/// Runs the verb about exchange rates that was typed.
pub async fn run(
    command: &RatesCommand,
    kube: &KubeFlags,
    streams: &mut Streams,
    cancellation: &CancellationToken,
) -> Result<Ending, CommandError> {
    match command {
        RatesCommand::Refresh(arguments) => {
            refresh::run(arguments, kube, streams, cancellation).await
        }
        RatesCommand::Diff(arguments) => diff::run(arguments, kube, streams, cancellation).await,
        RatesCommand::Prune(arguments) => prune::run(arguments, kube, streams, cancellation).await,
    }
}
