//! `sync`: brings all copies in step with their rules.

use tokio_util::sync::CancellationToken;

use super::{
    CommandError,
    copies::{copies, depth},
    limit::Limit,
    writing::Writing,
};
use crate::{
    cli::{KubeFlags, SyncArgs},
    exit::Ending,
    output::{ReportKind, Streams},
    reconcile::{Extent, Options},
};

/// Runs `sync`.
pub async fn run(
    arguments: &SyncArgs,
    kube: &KubeFlags,
    streams: &mut Streams,
    cancellation: &CancellationToken,
) -> Result<Ending, CommandError> {
    let mut copies = copies(&arguments.rules, &arguments.reconcile)?;
    let limit = Limit::new(&arguments.write, cancellation);
    let connection = limit.connect(kube).await?;
    let writing = Writing {
        domain: &mut copies,
        options: Options {
            parallelism: arguments.rules.parallelism.into(),
            depth: depth(&arguments.reconcile),
            extent: Extent::Everything,
            fail_fast: arguments.write.fail_fast,
            check_rights: true,
        },
        report: ReportKind::Sync,
        reading: "reading rules, namespaces and copies",
        flags: &arguments.write,
    };
    writing
        .run(connection, &limit, kube, streams, |_, _| ())
        .await
}
