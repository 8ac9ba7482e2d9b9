//! Runs that write: what `sync` and `prune` have in common.

use std::{cell::Cell, convert::Infallible, future::pending};

use tokio::time::{Instant, sleep_until, timeout_at};
use tokio_util::sync::CancellationToken;

use super::{CommandError, connection::connect_by, copies::api_server, error::unless_unread};
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
    /// Connects, runs and tells. `remark` may add what the domain has to say once all has been come to.
    pub async fn run(
        mut self,
        kube: &KubeFlags,
        streams: &mut Streams,
        cancellation: &CancellationToken,
        remark: impl FnOnce(&D, &mut dyn Reporter),
    ) -> Result<Ending, CommandError> {
        let limit = Limit::new(self.flags, cancellation);
        let connection = limit.connect(kube).await?;
        let address = connection.server.clone();
        let is_tried = self.flags.dry_run == DryRun::Server;
        let server = api_server(connection, is_tried, limit.deadline);
        let options = ReportOptions {
            kind: self.report,
            format: self.flags.output.unwrap_or_default(),
            dry_run: self.flags.dry_run,
            verbose: kube.verbosity > 0,
            colours: Colours::detect(ColourChoice::Auto, streams),
        };
        let mut reporter = SyncReporter::new(streams, options);
        reporter.reading(self.reading);
        let run = self.reconcile(&server, &limit, &mut reporter).await;
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

/// The time that a run has.
struct Limit {
    deadline: Option<Instant>,
    flag: std::time::Duration,
    stop: CancellationToken,
    expired: Cell<bool>,
}

impl Limit {
    fn new(flags: &WriteFlags, cancellation: &CancellationToken) -> Self {
        let timeout = Some(flags.timeout).filter(|timeout| !timeout.is_zero());
        Self {
            deadline: timeout.and_then(|timeout| Instant::now().checked_add(timeout)),
            flag: flags.timeout,
            stop: cancellation.child_token(),
            expired: Cell::new(false),
        }
    }

    async fn connect(&self, kube: &KubeFlags) -> Result<Connection, CommandError> {
        let Some(deadline) = self.deadline else {
            return Ok(connect_by(kube).await?);
        };
        match timeout_at(deadline, connect_by(kube)).await {
            Ok(connection) => Ok(connection?),
            Err(_) => Err(CommandError::TimedOut(self.flag)),
        }
    }

    /// Stops the run when its time is up.
    async fn expire(&self) -> Infallible {
        if let Some(deadline) = self.deadline {
            sleep_until(deadline).await;
            self.expired.set(true);
            self.stop.cancel();
        }
        pending().await
    }

    fn explain<E: std::error::Error + Into<CommandError>>(
        &self,
        error: RunError<E>,
    ) -> CommandError {
        match error {
            RunError::Interrupted if self.expired.get() => CommandError::TimedOut(self.flag),
            error => CommandError::of_run(error),
        }
    }

    fn stopped(&self, run: &Run) -> Stopped {
        match (run.failed_fast, self.expired.get()) {
            (true, _) => Stopped::FailedFast,
            (false, true) => Stopped::TimedOut,
            (false, false) => Stopped::Interrupted,
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
