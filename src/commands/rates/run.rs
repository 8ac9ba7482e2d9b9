//! Which of the `rates` verbs is run.

use tokio_util::sync::CancellationToken;

use super::{chart::chart, get::get};
use crate::{
    cli::rates::RatesCommand,
    commands::{CommandError, error::unless_unread},
    exit::Ending,
    output::Streams,
};

/// Runs one of the `rates` verbs.
pub async fn run(
    command: &RatesCommand,
    streams: &mut Streams,
    cancellation: &CancellationToken,
) -> Result<Ending, CommandError> {
    let told = match command {
        RatesCommand::Get(arguments) => get(arguments, streams, cancellation).await,
        RatesCommand::Chart(arguments) => chart(arguments, streams, cancellation).await,
    };
    unless_unread(told, Ending::Done)
}
