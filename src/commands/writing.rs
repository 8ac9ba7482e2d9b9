//! Runs that write: what `sync` and `prune` have in common.

use super::{CommandError, copies::api_server, error::unless_unread, limit::Limit};
use crate::{
    cli::{KubeFlags, WriteFlags},
    cluster::{ApiServer, Connection},
    exit::Ending,
    output::{
        ColourChoice, Colours, DryRun, ReportKind, ReportOptions, Rest, Stopped, Streams,
        SyncReporter,
    },
    reconcile::{Domain, Options, Rehearsal, Reporter, Run, RunError, once},
};

/// What a run that writes is about.
pub struct Writing<'a, D> {
    /// The domain whose objects are written.
    pub domain: &'a mut D,
    /// How the run goes about it.
    pub options: Options,
    /// What its report is about.
    pub report: ReportKind,
    /// What is read first, in words.
    pub reading: &'static str,
    /// How it is done and told.
    pub flags: &'a WriteFlags,
}

impl<D: Domain<Error: Into<CommandError>>> Writing<'_, D> {
    /// Runs and tells. `remark` may add what the domain has to say once all has been come to.
    pub async fn run(
        mut self,
        connection: Connection,
        limit: &Limit,
        kube: &KubeFlags,
        streams: &mut Streams,
        remark: impl FnOnce(&D, &mut dyn Reporter),
    ) -> Result<Ending, CommandError> {
        let address = connection.server.clone();
        let is_tried = self.flags.dry_run == DryRun::Server;
        let server = api_server(connection, is_tried, limit.deadline).stopped_by(&limit.stop);
        let options = ReportOptions {
            kind: self.report,
            format: self.flags.output.unwrap_or_default(),
            dry_run: self.flags.dry_run,
            verbose: kube.verbosity > 0,
            colours: Colours::detect(ColourChoice::Auto, streams),
        };
        let mut reporter = SyncReporter::new(streams, options);
        reporter.reading(self.reading);
        let run = self.reconcile(&server, limit, &mut reporter).await;
        let run = run.map_err(|error| limit.explain(error).explained(&address))?;
        if run.not_reached == 0 {
            remark(self.domain, &mut reporter);
        }
        let stopped = limit.stopped(&run);
        let rest = Rest {
            not_reached: run.not_reached,
            stopped,
        };
        let told = reporter.finish(rest).map_err(CommandError::Output);
        unless_unread(told, ending(&run, stopped))
    }

    async fn reconcile(
        &mut self,
        server: &ApiServer,
        limit: &Limit,
        reporter: &mut SyncReporter<'_>,
    ) -> Result<Run, RunError<D::Error>> {
        let (domain, options) = (&mut *self.domain, self.options);
        let stop = &limit.stop;
        let run = async {
            if self.flags.dry_run == DryRun::Client {
                once(domain, &Rehearsal::new(server), options, stop, reporter).await
            } else {
                once(domain, server, options, stop, reporter).await
            }
        };
        tokio::select! {
            run = run => run,
            never = limit.expire() => match never {},
        }
    }
}

fn ending(run: &Run, stopped: Stopped) -> Ending {
    if run.not_reached > 0 && stopped == Stopped::Interrupted {
        Ending::Interrupted
    } else if run.not_reached + run.waiting + run.tally.conflicts + run.tally.failed + run.errors
        > 0
    {
        Ending::Unfinished
    } else {
        Ending::Done
    }
}
