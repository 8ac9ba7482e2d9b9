//! `diff`: shows what `sync` would change.

use std::env;

use futures::{StreamExt, TryStreamExt, stream};
use tokio_util::sync::CancellationToken;

use super::{
    CommandError,
    connection::connect_by,
    copies::{api_server, copies},
};
use crate::{
    cli::{DiffArgs, KubeFlags},
    cluster::ApiServer,
    copy::OWNER_LABEL,
    exit::Ending,
    output::{
        Change, Colours, Document, EXTERNAL_DIFF, Format, PlanReport, PlannedAction, PlannedChange,
        Secrecy, Streams, external_diff, print_document, write_diff, write_troubles,
    },
    reconcile::{
        ApiError, Cluster, Content, Depth, Event, Finding, Observed, Observer, Options, Outcome,
        RawObject, Rehearsal, Reporter, Run, once,
    },
};

/// Runs `diff`.
pub async fn run(
    arguments: &DiffArgs,
    kube: &KubeFlags,
    streams: &mut Streams,
    cancellation: &CancellationToken,
) -> Result<Ending, CommandError> {
    let mut copies = copies(&arguments.rules)?;
    let connection = connect_by(kube).await?;
    let address = connection.server.clone();
    let server = api_server(connection, false);
    let options = Options {
        parallelism: arguments.rules.parallelism.into(),
        verify: arguments.rules.verify,
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
    write_troubles(
        streams,
        &told.findings,
        &told.outcomes,
        kube.verbosity > 0,
        colours.err,
    )?;
    told.outcomes
        .sort_by(|left, right| left.key.cmp(&right.key));
    let planned = read_states(&server, told.outcomes, options.parallelism).await?;
    show(arguments, &planned, &run, streams, colours)?;
    Ok(ending(&planned, &run))
}

/// What the rehearsal told.
#[derive(Default)]
struct Told {
    outcomes: Vec<Outcome>,
    findings: Vec<Finding>,
}

impl Reporter for Told {
    fn planned(&mut self, _steps: usize, _in_step: usize) {}

    fn outcome(&mut self, outcome: Outcome) {
        if !matches!(outcome.event, Event::Unchanged | Event::Skipped(_)) {
            self.outcomes.push(outcome);
        }
    }

    fn finding(&mut self, finding: Finding) {
        self.findings.push(finding);
    }
}

/// One object about which something is to be told, with what it is now if it is to change.
struct Planned {
    outcome: Outcome,
    live: Option<(Observed, Content)>,
}

impl Planned {
    fn action(&self) -> Option<PlannedAction> {
        match &self.outcome.event {
            Event::Created => Some(PlannedAction::Create),
            Event::Configured(why) => Some(PlannedAction::Update(*why)),
            Event::Pruned => Some(PlannedAction::Prune),
            Event::Conflict(conflict) => Some(PlannedAction::Conflict(conflict.clone())),
            Event::Unchanged | Event::Skipped(_) | Event::Failed(_) => None,
        }
    }

    fn changes(&self) -> bool {
        matches!(
            self.outcome.event,
            Event::Created | Event::Configured(_) | Event::Pruned
        )
    }

    fn change(&self) -> Change<'_> {
        let live = self.live.as_ref();
        Change {
            key: &self.outcome.key,
            before: live
                .map(|(observed, content)| Document::observed(observed, content, OWNER_LABEL)),
            after: self
                .outcome
                .desired
                .as_ref()
                .map(|desired| Document::desired(desired, OWNER_LABEL)),
        }
    }

    fn planned_change(&self) -> Option<PlannedChange<'_>> {
        let wanted = self.outcome.desired.as_ref().filter(|_| self.changes());
        Some(PlannedChange {
            key: &self.outcome.key,
            owner: self.outcome.owner.as_ref(),
            source: self.outcome.source.as_deref(),
            action: self.action()?,
            before: self.live.as_ref().map(|(_, content)| content),
            after: wanted.map(|desired| desired.template.content()),
        })
    }
}

/// Reads what is there now of each object that would be changed or deleted.
async fn read_states(
    server: &ApiServer,
    outcomes: Vec<Outcome>,
    parallelism: usize,
) -> Result<Vec<Planned>, ApiError> {
    stream::iter(outcomes)
        .map(async |outcome| {
            let live = match outcome.event {
                Event::Configured(_) | Event::Pruned => read_state(server, &outcome).await?,
                _ => None,
            };
            Ok(Planned { outcome, live })
        })
        .buffered(parallelism)
        .try_collect()
        .await
}

async fn read_state(
    server: &ApiServer,
    outcome: &Outcome,
) -> Result<Option<(Observed, Content)>, ApiError> {
    let key = &outcome.key;
    let reduce = |object: RawObject<'_>| {
        let observed = Observer::new(OWNER_LABEL).observe(key.resource, object, Depth::Full)?;
        Ok((observed, object.parse::<Content>()?))
    };
    server.get(key, Depth::Full, reduce).await
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
    } else if run.tally.failed + run.errors > 0 {
        Ending::Unfinished
    } else if planned.is_empty() {
        Ending::Done
    } else {
        Ending::Differences
    }
}
