//! `diff`: shows what `sync` would change.

use tokio_util::sync::CancellationToken;

use super::{
    CommandError,
    copies::{copies, depth},
    differing::Differing,
};
use crate::{
    cli::{DiffArgs, KubeFlags},
    exit::Ending,
    output::Streams,
};

/// Runs `diff`.
pub async fn run(
    arguments: &DiffArgs,
    kube: &KubeFlags,
    streams: &mut Streams,
    cancellation: &CancellationToken,
) -> Result<Ending, CommandError> {
    let differing = Differing {
        domain: &mut copies(&arguments.rules, &arguments.reconcile)?,
        parallelism: arguments.rules.parallelism,
        depth: depth(&arguments.reconcile),
        flags: &arguments.diff,
    };
    differing.run(kube, streams, cancellation).await
}
