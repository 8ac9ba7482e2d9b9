//! `sync`: brings all copies in step with their rules.

use tokio_util::sync::CancellationToken;

use super::{
    CommandError,
    connection::connect_by,
    copies::{api_server, copies},
    error::unless_unread,
};
use crate::{
    cli::{KubeFlags, SyncArgs},
    cluster::ApiServer,
    copy::{Copies, CopyError},
    exit::Ending,
    output::{ColourChoice, Colours, DryRun, ReportOptions, Streams, SyncReporter},
    reconcile::{Options, Rehearsal, Run, RunError, once},
};

/// Runs `sync`.
pub async fn run(
    arguments: &SyncArgs,
    kube: &KubeFlags,
    streams: &mut Streams,
    cancellation: &CancellationToken,
) -> Result<Ending, CommandError> {
    let mut copies = copies(&arguments.rules)?;
    let connection = connect_by(kube).await?;
    let address = connection.server.clone();
    let server = api_server(connection, arguments.dry_run == DryRun::Server);
    let options = ReportOptions {
        format: arguments.output.unwrap_or_default(),
        dry_run: arguments.dry_run,
        verbose: kube.verbosity > 0,
        colours: Colours::detect(ColourChoice::Auto, streams),
    };
    let mut reporter = SyncReporter::new(streams, options);
    reporter.reading("reading rules, namespaces and copies");
    let run = reconcile(&mut copies, &server, arguments, cancellation, &mut reporter).await;
    let run = run.map_err(|error| CommandError::from(error).explained(&address))?;
    let told = reporter.finish(run.not_reached).map_err(CommandError::from);
    unless_unread(told, ending(&run))
}

async fn reconcile(
    copies: &mut Copies,
    server: &ApiServer,
    arguments: &SyncArgs,
    cancellation: &CancellationToken,
    reporter: &mut SyncReporter<'_>,
) -> Result<Run, RunError<CopyError>> {
    let options = Options {
        parallelism: arguments.rules.parallelism.into(),
        verify: arguments.rules.verify,
        check_rights: true,
    };
    if arguments.dry_run == DryRun::Client {
        once(
            copies,
            &Rehearsal::new(server),
            options,
            cancellation,
            reporter,
        )
        .await
    } else {
        once(copies, server, options, cancellation, reporter).await
    }
}

fn ending(run: &Run) -> Ending {
    if run.not_reached > 0 {
        Ending::Interrupted
    } else if run.tally.conflicts + run.tally.failed + run.errors > 0 {
        Ending::Unfinished
    } else {
        Ending::Done
    }
}
