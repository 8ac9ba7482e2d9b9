//! Runs the verb about exchange rates that was typed.

use tokio_util::sync::CancellationToken;

use super::{chart::chart, create::create, diff, get::get, prune, refresh};
use crate::{
    cli::{KubeFlags, rates::RatesCommand},
    commands::{CommandError, error::unless_unread},
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
    let told = match command {
        RatesCommand::Refresh(arguments) => {
            return refresh::run(arguments, kube, streams, cancellation).await;
        }
        RatesCommand::Diff(arguments) => {
            return diff::run(arguments, kube, streams, cancellation).await;
        }
        RatesCommand::Prune(arguments) => {
            return prune::run(arguments, kube, streams, cancellation).await;
        }
        RatesCommand::Create(arguments) => create(arguments, kube, streams).await,
        RatesCommand::Get(arguments) => get(arguments, kube, streams, cancellation).await,
        RatesCommand::Chart(arguments) => chart(arguments, kube, streams, cancellation).await,
    };
    unless_unread(told, Ending::Done)
}
