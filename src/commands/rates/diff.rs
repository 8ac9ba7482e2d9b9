//! `rates diff`: shows what `rates refresh` would change.

use tokio_util::sync::CancellationToken;

use super::{setting::exchange_rates, source::given};
use crate::{
    cli::{KubeFlags, rates::DiffRatesArgs},
    commands::{CommandError, connection::connect_by, copies::depth, differing::Differing},
    exit::Ending,
    output::Streams,
};

/// Runs `rates diff`.
pub async fn run(
    arguments: &DiffRatesArgs,
    kube: &KubeFlags,
    streams: &mut Streams,
    cancellation: &CancellationToken,
) -> Result<Ending, CommandError> {
    let DiffRatesArgs {
        rates,
        permissions,
        reconcile,
        diff,
    } = arguments;
    let given = given(rates, reconcile)?;
    let connection = connect_by(kube).await?;
    let namespace = &connection.default_namespace;
    let mut domain = exchange_rates(given, rates, permissions, reconcile, kube, namespace)?;
    let differing = Differing {
        domain: &mut domain,
        parallelism: rates.parallelism,
        depth: depth(reconcile),
        flags: diff,
    };
    differing.run(connection, kube, streams, cancellation).await
}
