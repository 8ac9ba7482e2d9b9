//! One run: read everything, plan, bring every object in step, and stop.

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
    pin::pin,
};

use futures::{StreamExt, future, stream};
use jiff::Timestamp;
use tokio_util::sync::CancellationToken;

use super::{
    ApiError, Cluster, Decision, Depth, Domain, Event, Finding, Input, MANAGED_BY,
    MANAGED_BY_LABEL, ObjectKey, Observed, Observer, Pace, Plan, Query, Reporter, ResourceType,
    Settler, Severity, Step, Tally, Writes, plan, rights::Refusals,
};

/// Up to so many doubtful objects are read one by one, more of them in one list.
const INSPECT_SINGLY: usize = 50;

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
    let observer = RefCell::new(Observer::new(domain.owner_label()));
    let reader = Reader {
        cluster,
        pace: &pace,
        observer: &observer,
    };
    let prepared = async {
        let found = reader.observe(domain, options.depth).await?;
        reader.absorb_inputs(domain).await?;
        let plan = reader.plan(domain, found, options).await;
        let refusals = if options.check_rights {
            Refusals::foresee(cluster, &pace, options.parallelism, &plan.steps).await
        } else {
            Refusals::default()
        };
        Ok::<_, RunError<D::Error>>((plan, refusals))
    };
    let (plan, refusals) = tokio::select! {
        prepared = prepared => prepared?,
        () = cancellation.cancelled() => return Err(RunError::Interrupted),
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
        write_statuses(domain, cluster, &pace, reporter).await;
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

const STATUSES_AT_ONCE: usize = 8;

/// Tells the owners how they fare. What can't be written is told anew by the next run.
async fn write_statuses<D: Domain, C: Cluster>(
    domain: &D,
    cluster: &C,
    pace: &Pace,
    reporter: &mut dyn Reporter,
) {
    let statuses = stream::iter(domain.statuses(Timestamp::now()))
        .take_until(pace.cancellation().cancelled())
        .map(async |status| {
            let written = pace.request(async || cluster.write_status(&status).await);
            (status.owner.clone(), written.await.result)
        })
        .buffer_unordered(STATUSES_AT_ONCE);
    let mut statuses = pin!(statuses);
    while let Some((owner, result)) = statuses.next().await {
        if let Err(error) = result {
            reporter.finding(Finding {
                severity: Severity::Warning,
                owner: Some(owner),
                message: format!("its status couldn't be written: {error}"),
                cause: Some(error),
            });
        }
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

/// Works through a plan, many objects at once. After a cancellation nothing new is begun, and
/// what was begun is finished.
async fn execute<D: Domain, C: Cluster>(
    domain: &mut D,
    settler: &Settler<'_, C>,
    plan: Plan,
    refusals: &Refusals,
    options: Options,
    reporter: &mut dyn Reporter,
) -> Run {
    let stop = settler.pace.cancellation().child_token();
    let mut run = Run {
        not_reached: plan.steps.len(),
        ..Run::default()
    };
    run.tally.unchanged = plan.in_step;
    let outcomes = stream::iter(plan.steps)
        .take_until(stop.cancelled())
        .map(async |step| match refusals.of(&step) {
            Some(refused) => refused,
            None => settler.settle(step).await,
        })
        .buffer_unordered(options.parallelism);
    let mut outcomes = pin!(outcomes);
    while let Some(outcome) = outcomes.next().await {
        if outcome.event.is_interruption() {
            continue;
        }
        run.not_reached -= 1;
        run.tally.count(&outcome.event);
        if options.fail_fast && matches!(outcome.event, Event::Failed(_)) {
            run.failed_fast = true;
            stop.cancel();
        }
        domain.settled(&outcome);
        reporter.outcome(outcome);
    }
    run
}

/// Reads what a run needs.
struct Reader<'a, C> {
    cluster: &'a C,
    pace: &'a Pace,
    observer: &'a RefCell<Observer>,
}

impl<C: Cluster> Reader<'_, C> {
    /// Lists the domain's objects. This comes before everything else: an object that somebody
    /// makes after this can't look orphaned to what is read later.
    async fn observe<D: Domain>(
        &self,
        domain: &mut D,
        depth: Depth,
    ) -> Result<Vec<Observed>, RunError<D::Error>> {
        let label = domain.owner_label();
        let lists = domain
            .resources()
            .into_iter()
            .map(async |resource| (resource, self.list_ours(resource, label, depth).await));
        let mut observed = Vec::new();
        for (resource, result) in future::join_all(lists).await {
            match result {
                Ok(objects) => observed.extend(objects),
                Err(error) => domain
                    .resource_unreadable(resource, error)
                    .map_err(RunError::Domain)?,
            }
        }
        Ok(observed)
    }

    async fn list_ours(
        &self,
        resource: &'static ResourceType,
        owner_label: &str,
        depth: Depth,
    ) -> Result<Vec<Observed>, ApiError> {
        let labels = format!("{MANAGED_BY_LABEL}={MANAGED_BY},{owner_label}");
        let query = Query {
            labels,
            ..Query::all(resource, depth)
        };
        let list = async || {
            self.cluster
                .list(&query, |object| {
                    self.observer
                        .borrow_mut()
                        .observe(resource, object, depth)
                        .map(Some)
                })
                .await
        };
        self.pace.request(list).await.result
    }

    /// Reads the domain's inputs until what was read names no more of them.
    async fn absorb_inputs<D: Domain>(&self, domain: &mut D) -> Result<(), RunError<D::Error>> {
        let mut absorbed = HashSet::new();
        loop {
            let mut inputs = domain.inputs();
            inputs.retain(|input| absorbed.insert(input.clone()));
            if inputs.is_empty() {
                return Ok(());
            }
            let reads: Vec<_> = stream::iter(&inputs)
                .map(|input| self.read(&*domain, input))
                .buffered(Self::READS_AT_ONCE)
                .collect()
                .await;
            for (input, facts) in inputs.iter().zip(reads) {
                domain.absorb(input, facts).map_err(RunError::Domain)?;
            }
        }
    }

    const READS_AT_ONCE: usize = 8;

    async fn read<D: Domain>(&self, domain: &D, input: &Input) -> Result<Vec<D::Fact>, ApiError> {
        let read = async || match input {
            Input::List(query) => {
                self.cluster
                    .list(query, |object| domain.reduce(input, object))
                    .await
            }
            Input::Get(key) => {
                let fact = self
                    .cluster
                    .get(key, Depth::Full, |object| domain.reduce(input, object));
                Ok(fact.await?.flatten().into_iter().collect())
            }
        };
        self.pace.request(read).await.result
    }

    /// Plans; and where metadata leaves many objects in doubt, reads them all at once and decides anew.
    async fn plan<D: Domain>(&self, domain: &D, observed: Vec<Observed>, options: Options) -> Plan {
        let scope = domain.scope();
        let mut plan = plan(domain.desired(), observed, &scope);
        if options.extent == Extent::OnlyPrune {
            plan.keep_only_prunings();
            return plan;
        }
        let doubtful = plan.steps.iter().filter(|step| self.is_doubtful(step));
        let doubtful: HashSet<ObjectKey> = doubtful.map(|step| step.key.clone()).collect();
        if doubtful.len() > INSPECT_SINGLY {
            plan.look_again(self.read_doubtful(domain, &doubtful).await, &scope);
        }
        plan
    }

    /// Where nobody checks an update, whether it is possible is told by the whole object alone.
    fn is_doubtful(&self, step: &Step) -> bool {
        match step.decision {
            Decision::Inspect => true,
            Decision::Update(_) => self.cluster.writes() == Writes::Assumed,
            _ => false,
        }
    }

    /// Reads the doubtful objects whole, by one list for each resource that has some. Others that the
    /// list brings are left out: one that came into being since the first list would look orphaned.
    /// Where the list fails, the objects stay in doubt and are read one by one.
    async fn read_doubtful<D: Domain>(
        &self,
        domain: &D,
        doubtful: &HashSet<ObjectKey>,
    ) -> HashMap<ObjectKey, Observed> {
        let resources: HashSet<_> = doubtful.iter().map(|key| key.resource).collect();
        let mut fresh = HashMap::new();
        for resource in resources {
            let listed = self
                .list_ours(resource, domain.owner_label(), Depth::Full)
                .await;
            let listed = listed.unwrap_or_default().into_iter();
            let listed = listed.filter(|object| doubtful.contains(&object.key));
            fresh.extend(listed.map(|object| (object.key.clone(), object)));
        }
        fresh
    }
}
