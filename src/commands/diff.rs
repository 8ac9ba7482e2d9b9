//! `diff`: shows what `sync` would change.

use tokio_util::sync::CancellationToken;

use super::{
    CommandError,
    connection::connect_by,
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
    let mut copies = copies(&arguments.rules, &arguments.reconcile)?;
    let connection = connect_by(kube).await?;
    let differing = Differing {
        domain: &mut copies,
        parallelism: arguments.rules.parallelism,
        depth: depth(&arguments.reconcile),
        flags: &arguments.diff,
    };
    differing.run(connection, kube, streams, cancellation).await
}
