//! One run: read everything, plan, bring every object in step, and stop.

use std::cell::RefCell;

use tokio_util::sync::CancellationToken;

use super::{
    ApiError, Cluster, Depth, Domain, Observer, Pace, Plan, Reporter, Settler, Severity, Tally,
    Writes,
    execute::{execute, write_statuses},
    reader::Reader,
    rights::Refusals,
};

/// How a run goes about its work.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How many objects are worked on at once.
    pub parallelism: usize,
    /// How much of each object is read: its metadata is trusted, or all of it compared.
    pub depth: Depth,
    /// What the run is about.
    pub extent: Extent,
    /// Whether the first failure ends the run.
    pub fail_fast: bool,
    /// Whether steps that the API server would refuse are found, and left out, before the first write.
    pub check_rights: bool,
}

/// What a run is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Everything that should and shouldn't exist.
    Everything,
    /// Only objects that nobody wants.
    OnlyPrune,
}

/// Why a run couldn't even begin to write.
#[derive(Debug, thiserror::Error)]
pub enum RunError<E: std::error::Error + 'static> {
    /// Something that everything depends on couldn't be read.
    #[error("{0}")]
    Api(#[from] ApiError),
    /// The domain can't say what should exist.
    #[error("{0}")]
    Domain(#[source] E),
    /// The run was stopped before anything was written.
    #[error("interrupted; nothing was written")]
    Interrupted,
}

/// What a run came to.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// How many objects met which end.
    pub tally: Tally,
    /// How many objects were not come to, because the run was stopped.
    pub not_reached: usize,
    /// Whether the run ended at a failure, as it was asked to.
    pub failed_fast: bool,
    /// How many objects wait until what has their place is gone.
    pub waiting: usize,
    /// How many findings were errors.
    pub errors: usize,
}

/// Runs a domain against a cluster once.
pub async fn once<D: Domain, C: Cluster>(
    domain: &mut D,
    cluster: &C,
    options: Options,
    cancellation: &CancellationToken,
    reporter: &mut dyn Reporter,
) -> Result<Run, RunError<D::Error>> {
    let pace = Pace::new(cancellation.clone());
    let observer = RefCell::new(Observer::new(domain.owner_kind()));
    let reader = Reader {
        cluster,
        pace: &pace,
        observer: &observer,
    };
    let prepared = async {
        let found = reader.read_all(domain, options.depth).await?;
        let plan = reader.plan(domain, found, options).await;
        let refusals = if options.check_rights {
            Refusals::foresee(cluster, &pace, options.parallelism, &plan.steps).await
        } else {
            Refusals::default()
        };
        Ok::<_, RunError<D::Error>>((plan, refusals))
    };
    let (plan, refusals) = tokio::select! {
        // A request that a cancellation cut short fails at the same time, and is not the reason.
        biased;
        () = cancellation.cancelled() => return Err(RunError::Interrupted),
        prepared = prepared => prepared?,
    };
    let errors = tell_findings(domain, reporter);
    reporter.planned(plan.steps.len(), plan.in_step);
    if let Some(missing) = refusals.missing() {
        reporter.missing_permissions(missing);
    }
    let scope = domain.scope();
    let settler = Settler {
        cluster,
        pace: &pace,
        scope: &scope,
        observer: &observer,
    };
    let run = if options.fail_fast && errors > 0 {
        Run::untouched(&plan)
    } else {
        execute(domain, &settler, plan, &refusals, options, reporter).await
    };
    let is_whole = run.not_reached == 0 && options.extent == Extent::Everything;
    if is_whole && cluster.writes() == Writes::Kept {
        write_statuses(domain, cluster, &pace, options.parallelism, reporter).await;
    }
    Ok(Run { errors, ..run })
}

impl Run {
    /// A run that ended before the first object of its plan.
    fn untouched(plan: &Plan) -> Self {
        let mut run = Self {
            not_reached: plan.steps.len(),
            failed_fast: true,
            ..Self::default()
        };
        run.tally.unchanged = plan.in_step;
        run
    }
}

/// Tells what was found about the owners; how many of it are errors.
fn tell_findings(domain: &impl Domain, reporter: &mut dyn Reporter) -> usize {
    let findings = domain.findings();
    let errors = findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error)
        .count();
    for finding in findings {
        reporter.finding(finding);
    }
    errors
}
