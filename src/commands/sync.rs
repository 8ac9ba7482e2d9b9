//! `sync`: makes the cluster hold the copies that the rules ask for.

use super::CommandError;
use crate::{
    cli::{KubeFlags, SyncArgs},
    exit::Ending,
    output::Streams,
};

/// Runs `sync`.
#[expect(
    clippy::unused_async,
    reason = "it will send requests once it is wired"
)]
pub async fn run(
    _arguments: &SyncArgs,
    _kube: &KubeFlags,
    _streams: &mut Streams,
) -> Result<Ending, CommandError> {
    Err(CommandError::NotWired("sync"))
}
