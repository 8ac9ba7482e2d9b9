//! `diff`: shows what `sync` would change.

use std::env;

use tokio_util::sync::CancellationToken;

use super::{
    CommandError,
    connection::connect_by,
    copies::{api_server, copies, depth},
    error::unless_unread,
    planned::{Planned, Told, read_states},
};
use crate::{
    cli::{DiffArgs, KubeFlags},
    exit::Ending,
    output::{
        Change, Colours, EXTERNAL_DIFF, Format, PlanReport, Secrecy, Streams, external_diff,
        print_document, write_diff, write_troubles,
    },
    reconcile::{Extent, Options, Pace, Rehearsal, Run, RunError, once},
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
    let address = connection.server.clone();
    let server = api_server(connection, false, None);
    let options = Options {
        parallelism: arguments.rules.parallelism.into(),
        depth: depth(&arguments.reconcile),
        extent: Extent::Everything,
        fail_fast: false,
        // Whoever reviews changes needs no right to make them.
        check_rights: false,
    };
    let mut told = Told::default();
    let run = once(
        &mut copies,
        &Rehearsal::new(&server),
        options,
        cancellation,
        &mut told,
    )
    .await;
    let run = run.map_err(|error| CommandError::from(error).explained(&address))?;
    let colours = Colours::detect(arguments.color, streams);
    told.outcomes
        .sort_by(|left, right| left.key.cmp(&right.key));
    let pace = Pace::new(cancellation.clone());
    let reading = read_states(&server, &pace, told.outcomes, options.parallelism);
    let Some(planned) = cancellation.run_until_cancelled(reading).await else {
        return Err(RunError::Interrupted.into());
    };
    let outcomes = planned.iter().map(|one| &one.outcome);
    let verbose = kube.verbosity > 0;
    write_troubles(streams, &told.findings, outcomes, verbose, colours.err)?;
    let shown = show(arguments, &planned, &run, streams, colours);
    unless_unread(shown, ending(&planned, &run))
}

fn show(
    arguments: &DiffArgs,
    planned: &[Planned],
    run: &Run,
    streams: &mut Streams,
    colours: Colours,
) -> Result<(), CommandError> {
    if let Some(format @ (Format::Json | Format::Yaml)) = arguments.output {
        let changes = planned.iter().filter_map(Planned::planned_change);
        let report = PlanReport::new(changes, run.tally.unchanged);
        return Ok(print_document(streams, format, &report)?);
    }
    let secrecy = if arguments.show_secrets {
        Secrecy::Shown
    } else {
        Secrecy::Masked
    };
    let changes: Vec<Change<'_>> = planned
        .iter()
        .filter(|one| one.changes())
        .map(Planned::change)
        .collect();
    match env::var(EXTERNAL_DIFF) {
        Ok(command) if !command.is_empty() && !changes.is_empty() => {
            external_diff(&command, &changes, secrecy, streams)?;
        }
        _ => {
            for change in &changes {
                write_diff(&mut *streams.out, change, secrecy, colours.out)?;
            }
            streams.out.flush()?;
        }
    }
    Ok(())
}

fn ending(planned: &[Planned], run: &Run) -> Ending {
    if run.not_reached > 0 {
        Ending::Interrupted
    } else if planned.iter().any(Planned::has_failed) || run.errors > 0 {
        Ending::Unfinished
    } else if planned.is_empty() {
        Ending::Done
    } else {
        Ending::Differences
    }
}
