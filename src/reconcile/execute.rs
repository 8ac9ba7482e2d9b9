//! Carries out a plan, and tells the owners how they fare.

use std::pin::pin;

use futures::{StreamExt, stream};
use jiff::Timestamp;

use super::{
    Cluster, Domain, Event, Failure, Finding, Options, Pace, Plan, Reporter, Run, Settler,
    Severity, Skip, rights::Refusals,
};

/// Works through a plan, many objects at once. After a cancellation nothing new is begun, and
/// what was begun is finished.
pub async fn execute<D: Domain, C: Cluster>(
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
        run.waiting += usize::from(outcome.event == Event::Skipped(Skip::BeingDeleted));
        if options.fail_fast && matches!(outcome.event, Event::Failed(_)) {
            run.failed_fast = true;
            stop.cancel();
        }
        domain.settled(&outcome);
        reporter.outcome(outcome);
    }
    run
}

/// Tells the owners how they fare, so many at once. What can't be written is told anew by the next run.
pub async fn write_statuses<D: Domain, C: Cluster>(
    domain: &D,
    cluster: &C,
    pace: &Pace,
    parallelism: usize,
    reporter: &mut dyn Reporter,
) {
    let statuses = stream::iter(domain.statuses(Timestamp::now()))
        .take_until(pace.cancellation().cancelled())
        .map(async |status| {
            let written = pace.request(async || cluster.write_status(&status).await);
            (status.owner.clone(), written.await.result)
        })
        .buffer_unordered(parallelism);
    let mut statuses = pin!(statuses);
    while let Some((owner, result)) = statuses.next().await {
        // Somebody has changed the owner since it was read, and will be told by a run of their own.
        if let Err(error) = result
            && !matches!(error.failure, Failure::Conflict(_))
        {
            reporter.finding(Finding {
                severity: Severity::Warning,
                owner: Some(owner),
                message: format!("its status couldn't be written: {error}"),
                cause: Some(error),
            });
        }
    }
}
