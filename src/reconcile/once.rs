//! One run: read everything, plan, bring every object in step, and stop.

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
    pin::pin,
};

use futures::{StreamExt, future, stream};
use tokio_util::sync::CancellationToken;

use super::{
    ApiError, Cluster, Decision, Depth, Domain, Input, MANAGED_BY, MANAGED_BY_LABEL, ObjectKey,
    Observed, Observer, Pace, Plan, Query, RawObject, Reporter, ResourceType, Settler, Severity,
    Tally, list, plan,
};

/// Up to so many doubtful objects are read one by one, more of them in one list.
const INSPECT_SINGLY: usize = 50;

/// How a run goes about its work.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How many objects are worked on at once.
    pub parallelism: usize,
    /// Whether every object is read whole instead of trusting its metadata.
    pub verify: bool,
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
        let depth = if options.verify {
            Depth::Full
        } else {
            Depth::Metadata
        };
        let found = reader.observe(domain, depth).await?;
        reader.absorb_inputs(domain).await?;
        Ok::<_, RunError<D::Error>>(reader.plan(domain, found).await)
    };
    let plan = tokio::select! {
        // A request that a cancellation cut short fails at the same time, and is not the reason.
        biased;
        () = cancellation.cancelled() => return Err(RunError::Interrupted),
        plan = prepared => plan?,
    };
    let errors = tell_findings(domain, reporter);
    reporter.planned(plan.steps.len(), plan.in_step);
    let scope = domain.scope();
    let settler = Settler {
        cluster,
        pace: &pace,
        scope: &scope,
        observer: &observer,
    };
    let run = execute(&settler, plan, options.parallelism, reporter).await;
    Ok(Run { errors, ..run })
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
async fn execute<C: Cluster>(
    settler: &Settler<'_, C>,
    plan: Plan,
    parallelism: usize,
    reporter: &mut dyn Reporter,
) -> Run {
    let mut run = Run {
        not_reached: plan.steps.len(),
        ..Run::default()
    };
    run.tally.unchanged = plan.in_step;
    let outcomes = stream::iter(plan.steps)
        .take_until(settler.pace.cancellation().cancelled())
        .map(|step| settler.settle(step))
        .buffer_unordered(parallelism);
    let mut outcomes = pin!(outcomes);
    while let Some(outcome) = outcomes.next().await {
        if outcome.event.is_interruption() {
            continue;
        }
        run.not_reached -= 1;
        run.tally.count(&outcome.event);
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
        let observe = |object: RawObject<'_>| {
            let mut observer = self.observer.borrow_mut();
            observer.observe(resource, object, depth).map(Some)
        };
        list(self.cluster, self.pace, &query, observe).await
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
        let key = match input {
            Input::List(query) => {
                let reduce = |object: RawObject<'_>| domain.reduce(input, object);
                return list(self.cluster, self.pace, query, reduce).await;
            }
            Input::Get(key) => key,
        };
        let read = async || {
            let reduce = |object: RawObject<'_>| domain.reduce(input, object);
            self.cluster.get(key, Depth::Full, reduce).await
        };
        let fact = self.pace.request(read).await.result?;
        Ok(fact.flatten().into_iter().collect())
    }

    /// Plans; and where metadata leaves many objects in doubt, reads them all at once and plans again.
    async fn plan<D: Domain>(&self, domain: &D, observed: Vec<Observed>) -> Plan {
        let scope = domain.scope();
        let first = plan(domain.desired(), &observed, &scope);
        let doubtful = first
            .steps
            .iter()
            .filter(|step| step.decision == Decision::Inspect);
        let doubtful: HashSet<ObjectKey> = doubtful.map(|step| step.key.clone()).collect();
        if doubtful.len() <= INSPECT_SINGLY {
            return first;
        }
        let mut fresh = self.read_doubtful(domain, &doubtful).await;
        let refreshed: Vec<_> = observed
            .into_iter()
            .map(|object| fresh.remove(&object.key).unwrap_or(object))
            .collect();
        plan(domain.desired(), &refreshed, &scope)
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
