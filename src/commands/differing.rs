//! Runs that only tell what would change: what `diff` and `rates diff` have in common.

use std::env;

use tokio_util::sync::CancellationToken;

use super::{
    CommandError,
    copies::api_server,
    error::unless_unread,
    planned::{Planned, Told, read_states},
};
use crate::{
    cli::{DiffFlags, KubeFlags},
    cluster::Connection,
    exit::Ending,
    output::{
        Change, Colours, EXTERNAL_DIFF, Format, PlanReport, Secrecy, Streams, external_diff,
        print_document, write_diff, write_troubles,
    },
    reconcile::{Depth, Domain, Extent, Options, Pace, Rehearsal, Run, once},
};

/// What a run that only tells what would change is about.
pub struct Differing<'a, D> {
    /// The domain whose objects would be written.
    pub domain: &'a mut D,
    /// How many requests are in flight at most.
    pub parallelism: u16,
    /// How much of each object is read.
    pub depth: Depth,
    /// How it is told.
    pub flags: &'a DiffFlags,
}

impl<D: Domain<Error: Into<CommandError>>> Differing<'_, D> {
    /// Rehearses and tells.
    pub async fn run(
        self,
        connection: Connection,
        kube: &KubeFlags,
        streams: &mut Streams,
        cancellation: &CancellationToken,
    ) -> Result<Ending, CommandError> {
        let address = connection.server.clone();
        let server = api_server(connection, false, None);
        let options = self.options();
        let mut told = Told::default();
        let rehearsal = Rehearsal::new(&server);
        let run = once(self.domain, &rehearsal, options, cancellation, &mut told).await;
        let run = run.map_err(|error| CommandError::of_run(error).explained(&address))?;
        let colours = Colours::detect(self.flags.color, streams);
        told.outcomes
            .sort_by(|left, right| left.key.cmp(&right.key));
        let pace = Pace::new(cancellation.clone());
        let owners = self.domain.owner_kind();
        let reading = read_states(&server, &pace, told.outcomes, options.parallelism, owners);
        let Some(planned) = cancellation.run_until_cancelled(reading).await else {
            return Err(CommandError::Interrupted);
        };
        let outcomes = planned.iter().map(|one| &one.outcome);
        let verbose = kube.verbosity > 0;
        write_troubles(streams, &told.findings, outcomes, verbose, colours.err)?;
        let shown = show(self.flags, &planned, &run, streams, colours);
        unless_unread(shown, ending(&planned, &run))
    }

    fn options(&self) -> Options {
        Options {
            parallelism: self.parallelism.into(),
            depth: self.depth,
            extent: Extent::Everything,
            fail_fast: false,
            // Whoever reviews changes needs no right to make them.
            check_rights: false,
        }
    }
}

fn show(
    flags: &DiffFlags,
    planned: &[Planned],
    run: &Run,
    streams: &mut Streams,
    colours: Colours,
) -> Result<(), CommandError> {
    if let Some(format @ (Format::Json | Format::Yaml)) = flags.output {
        let changes = planned.iter().filter_map(Planned::planned_change);
        let report = PlanReport::new(changes, run.tally.unchanged);
        return Ok(print_document(streams, format, &report)?);
    }
    let secrecy = if flags.show_secrets {
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
