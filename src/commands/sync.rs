//! `sync`: brings all copies in step with their rules.

use tokio_util::sync::CancellationToken;

use super::{
    CommandError,
    copies::{api_server, copies, depth, rule_source},
    error::unless_unread,
    limit::Limit,
    watching,
    writing::Writing,
};
use crate::{
    cli::{KubeFlags, SyncArgs},
    copy::Copies,
    exit::Ending,
    output::{ColourChoice, Colours, DryRun, ReportKind, ReportOptions, Streams, WatchReporter},
    reconcile::{self, Cluster as _, Extent, Options, WatchOptions},
};

/// Runs `sync`.
pub async fn run(
    arguments: &SyncArgs,
    kube: &KubeFlags,
    streams: &mut Streams,
    cancellation: &CancellationToken,
) -> Result<Ending, CommandError> {
    watching::check_flags(&arguments.watch, &arguments.write)?;
    if arguments.watch.watch {
        watching::check_depth(depth(&arguments.reconcile))?;
        return watch(arguments, kube, streams, cancellation).await;
    }
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

/// Runs `sync --watch`.
async fn watch(
    arguments: &SyncArgs,
    kube: &KubeFlags,
    streams: &mut Streams,
    cancellation: &CancellationToken,
) -> Result<Ending, CommandError> {
    let source = rule_source(&arguments.rules, &arguments.reconcile)?;
    let limit = Limit::new(&arguments.write, cancellation);
    let connection = limit.connect(kube).await?;
    let address = connection.server.clone();
    let server = api_server(connection, false, limit.deadline).stopped_by(&limit.stop);
    // What can't be reached at the beginning is more likely a slip than an outage.
    let reached = server.user().await;
    reached.map_err(|error| CommandError::Api(error).explained(&address))?;
    let options = ReportOptions {
        kind: ReportKind::Sync,
        format: arguments.write.output.unwrap_or_default(),
        dry_run: DryRun::None,
        verbose: kube.verbosity > 0,
        colours: Colours::detect(ColourChoice::Auto, streams),
    };
    let mut reporter = WatchReporter::new(streams, options, limit.stop.clone());
    let fresh = || Copies::new(source.clone(), arguments.reconcile.prune).of_rules_to_come();
    let options = WatchOptions {
        parallelism: arguments.rules.parallelism.into(),
        resync: arguments.watch.resync,
    };
    let ended = tokio::select! {
        ended = reconcile::watch(&fresh, &server, options, &limit.stop, &mut reporter) => ended,
        never = limit.expire() => match never {},
    };
    let told = reporter.finish(&ended).map_err(CommandError::Output);
    unless_unread(told, watching::ending(&ended, cancellation))
}
