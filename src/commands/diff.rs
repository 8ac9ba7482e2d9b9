//! `diff`: shows what a sync would change.

use super::CommandError;
use crate::{
    cli::{DiffArgs, KubeFlags},
    exit::Ending,
    output::Streams,
};

/// Runs `diff`.
#[expect(
    clippy::unused_async,
    reason = "it will send requests once it is wired"
)]
pub async fn run(
    _arguments: &DiffArgs,
    _kube: &KubeFlags,
    _streams: &mut Streams,
) -> Result<Ending, CommandError> {
    Err(CommandError::NotWired("diff"))
}
