//! `rates refresh`: publishes the latest exchange rates.

use tokio_util::sync::CancellationToken;

use super::{keep::keep, setting::exchange_rates, source::given};
use crate::{
    cli::{KubeFlags, rates::RefreshArgs},
    commands::{CommandError, copies::depth, limit::Limit, watching, writing::Writing},
    exit::Ending,
    output::{ReportKind, Streams},
    reconcile::{Extent, Options},
};

/// Runs `rates refresh`.
pub async fn run(
    arguments: &RefreshArgs,
    kube: &KubeFlags,
    streams: &mut Streams,
    cancellation: &CancellationToken,
) -> Result<Ending, CommandError> {
    let RefreshArgs {
        rates,
        permissions,
        reconcile,
        write,
        watch,
        exit_stale,
    } = arguments;
    watching::check_flags(watch, write)?;
    if watch.watch {
        return keep(arguments, kube, streams, cancellation).await;
    }
    let given = given(rates, reconcile)?;
    let limit = Limit::new(write, cancellation);
    let connection = limit.connect(kube).await?;
    let namespace = &connection.default_namespace;
    let mut domain = exchange_rates(given, rates, permissions, reconcile, kube, namespace)?;
    let writing = Writing {
        domain: &mut domain,
        options: Options {
            parallelism: rates.parallelism.into(),
            depth: depth(reconcile),
            extent: Extent::Everything,
            fail_fast: write.fail_fast,
            check_rights: true,
        },
        report: ReportKind::Refresh,
        reading: "reading ExchangeRates and asking providers",
        flags: write,
    };
    let ending = writing
        .run(connection, &limit, kube, streams, |_, _| ())
        .await?;
    Ok(match ending {
        Ending::Done if domain.stale() > 0 => Ending::Stale(*exit_stale),
        ending => ending,
    })
}
