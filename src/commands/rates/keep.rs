//! `rates refresh --watch`: keeps the rates fresh for as long as it runs.

use jiff::Timestamp;
use tokio_util::sync::CancellationToken;

use super::{setting::setting, source::given, web::punctual_web};
use crate::{
    cli::{KubeFlags, rates::RefreshArgs},
    commands::{
        CommandError,
        copies::{api_server, depth},
        error::unless_unread,
        limit::Limit,
        watching,
    },
    exit::Ending,
    output::{ColourChoice, Colours, DryRun, ReportKind, ReportOptions, Streams, WatchReporter},
    rates::Refreshing,
    reconcile::{self, Cluster as _, WatchOptions},
};

/// Runs `rates refresh --watch`.
pub async fn keep(
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
    let given = given(rates, reconcile)?;
    let limit = Limit::new(write, cancellation);
    let connection = limit.connect(kube).await?;
    let address = connection.server.clone();
    let namespace = &connection.default_namespace;
    let setting = setting(given, rates, permissions, reconcile, namespace)?;
    let web = punctual_web(permissions, kube)?;
    let server = api_server(connection, false, limit.deadline).stopped_by(&limit.stop);
    // What can't be reached at the beginning is more likely a slip than an outage.
    let reached = server.user().await;
    reached.map_err(|error| CommandError::Api(error).explained(&address))?;
    let report = ReportOptions {
        kind: ReportKind::Refresh,
        format: write.output.unwrap_or_default(),
        dry_run: DryRun::None,
        verbose: kube.verbosity > 0,
        colours: Colours::detect(ColourChoice::Auto, streams),
    };
    let mut reporter = WatchReporter::new(streams, report, limit.stop.clone());
    let mut nobody = ();
    let refreshing = Refreshing::new(setting, &web, &mut nobody);
    let options = WatchOptions {
        parallelism: rates.parallelism.into(),
        resync: watch.resync,
    };
    let stop = &limit.stop;
    let depth = depth(reconcile);
    let ended = tokio::select! {
        ended = reconcile::repeat(&refreshing, &server, depth, options, stop, &mut reporter) => ended,
        never = limit.expire() => match never {},
    };
    let told = reporter.finish(&ended).map_err(CommandError::Output);
    let ending = match watching::ending(&ended, cancellation) {
        Ending::Done if refreshing.stale(Timestamp::now()) > 0 => Ending::Stale(*exit_stale),
        ending => ending,
    };
    unless_unread(told, ending)
}
