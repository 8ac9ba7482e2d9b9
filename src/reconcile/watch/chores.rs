//! What there is to do beside the objects' turns: passes, and telling the owners.

use futures::{FutureExt, StreamExt, stream};
use jiff::Timestamp;
use std::rc::Rc;
use tokio::time::{Instant, timeout};

use super::{
    ContinuousDomain, Priority,
    backlog::Backlog,
    live::Live,
    pass::{Pass, pass},
};
use crate::reconcile::{
    ApiError, Decision, Event, Failure, Outcome, Owner, RunError, Skip, StatusUpdate, Step,
    WatchableCluster,
};

/// How many statuses are written at once.
const STATUSES_AT_ONCE: usize = 8;

/// How long a watch that was stopped goes on telling owners.
const FAREWELL: std::time::Duration = std::time::Duration::from_secs(5);

impl<D: ContinuousDomain, C: WatchableCluster> Live<'_, D, C> {
    /// Begins a pass if one is due, and tells the owners if they are to be told.
    pub(super) fn begin_chores(&mut self, now: Instant) {
        if !self.is_ready {
            return;
        }
        if self.pass.is_none() && now >= self.pass_due() {
            self.passes.begin(now);
            self.begin_pass();
        }
        let due = self.backlog.account.due(self.is_quiet());
        if self.statuses.is_none() && due.is_some_and(|due| now >= due) {
            self.tell_owners(now);
        }
    }

    /// When the next pass comes: at the latest after a while, or else once it is asked for.
    pub(super) fn pass_due(&self) -> Instant {
        let Backlog {
            doomed, refused, ..
        } = &self.backlog;
        if !doomed.is_empty() {
            return self.passes.due_soon();
        }
        if refused.is_empty() {
            return self.passes.due();
        }
        // Where others could be removed meanwhile, it is worth another try at once.
        let passes = &self.passes;
        let asked = self.removals.until();
        asked.map_or_else(|| passes.due_soon(), |asked| passes.due_if_asked(asked))
    }

    fn begin_pass(&mut self) {
        self.backlog.doomed.clear();
        let (ground, fresh) = (self.ground, (self.fresh)());
        let parallelism = ground.options.parallelism;
        let pass = pass(fresh, ground.cluster, ground.pace, parallelism);
        self.pass = Some(pass.boxed_local());
    }

    /// Takes in what a pass has found.
    pub(super) fn finish_pass(&mut self, passed: Result<Pass, RunError<D::Error>>) {
        let now = Instant::now();
        let Pass { plan, scope, took } = match passed {
            Ok(pass) => pass,
            Err(error) => return self.pass_failed(&error, now),
        };
        self.passes.succeed(now, took);
        self.monitor.pass(took);
        self.backlog.refused.clear();
        if self.passes.is_regular() && plan.steps.iter().any(|step| self.has_missed(step)) {
            self.follow_anew();
        }
        for step in plan.steps {
            let key = step.key.clone();
            match step.decision {
                Decision::Delete | Decision::Release | Decision::Orphan => {
                    self.backlog
                        .confirmed
                        .insert(key.clone(), (step, Rc::clone(&scope)));
                    self.backlog.queue.add(&key, Priority::Bulk, now);
                }
                Decision::Conflict(_) | Decision::Wait => {}
                _ => self.backlog.queue.add(&key, Priority::Bulk, now),
            }
        }
    }

    /// Whether a pass has found what should long have been heard of.
    fn has_missed(&mut self, step: &Step) -> bool {
        let is_change = !matches!(
            step.decision,
            Decision::Nothing | Decision::Inspect | Decision::Conflict(_) | Decision::Wait
        );
        let scope = self.scope();
        let judge = || self.judge(&step.key, self.objects.get(&step.key), &scope);
        is_change && judge().decision == Decision::Nothing
    }

    fn pass_failed(&mut self, error: &RunError<D::Error>, now: Instant) {
        let pause = self.passes.fail(now, error);
        if let RunError::Api(error) = error {
            self.monitor.trouble(error, pause);
        }
        tracing::warn!(%error, "a full pass failed; the next one comes in {}s", pause.as_secs());
    }

    /// What the owners' statuses are to say by now.
    fn status_updates(&mut self, now: Instant) -> Vec<StatusUpdate> {
        let outcomes = self.backlog.account.settle(now);
        let mut domain = self.ground.domain.borrow_mut();
        domain.begin_account();
        // Asking for what is wanted counts it.
        let wanted = domain.desired();
        for outcome in &outcomes {
            domain.settled(outcome);
        }
        for desired in wanted {
            if self.backlog.is_waiting(&desired) {
                // It may turn out that nothing is to be done, and then nothing else brings this up again.
                self.backlog.account.touch(now);
                let event = Event::Skipped(Skip::Waiting);
                let key = desired.key.clone();
                domain.settled(&Outcome::of(key, Some(desired), None, event));
            }
        }
        domain.statuses(Timestamp::now())
    }

    /// Tells the owners what they haven't been told yet when a watch ends that has nothing left to do.
    pub(super) async fn tell_the_rest(&mut self) {
        let is_known = self.is_ready && !self.replan && self.ground.domain.borrow().is_complete();
        if !is_known || self.backlog.account.due(true).is_none() {
            return;
        }
        let farewell = async {
            while self.is_settled() {
                self.backlog.forgo();
                let updates = self.status_updates(Instant::now());
                if !tell_last(self.ground.cluster, updates).await {
                    return;
                }
                // What was told just before hasn't been heard of yet.
                match self.followers.next().await {
                    Some(heard) => self.hear_all(heard),
                    None => return,
                }
            }
        };
        // What can't be told is told by whoever works next.
        let _ = timeout(FAREWELL, farewell).await;
    }

    fn is_settled(&mut self) -> bool {
        self.out_of_step() == 0 && !self.replan
    }

    fn tell_owners(&mut self, now: Instant) {
        let updates = self.status_updates(now);
        let ground = self.ground;
        if updates.is_empty() {
            return;
        }
        let written = stream::iter(updates)
            .map(async move |update| {
                let write = async || ground.cluster.write_status(&update).await;
                let written = ground.pace.request(write).await;
                Some((update.owner.clone(), written.result.err()?))
            })
            .buffer_unordered(STATUSES_AT_ONCE)
            .filter_map(async |failed| failed);
        self.statuses = Some(written.collect::<Vec<_>>().boxed_local());
    }

    /// Somebody who has changed an owner meanwhile will be heard of.
    pub(super) fn finish_statuses(&mut self, failed: Vec<(Owner, ApiError)>) {
        if failed.is_empty() {
            self.backlog.account.is_told();
        }
        for (_, error) in failed {
            let is_outdated = matches!(
                error.failure,
                Failure::Conflict(_) | Failure::NotFound(_) | Failure::Interrupted
            );
            if !is_outdated {
                self.backlog.account.postpone(Instant::now());
                self.monitor.trouble(&error, std::time::Duration::ZERO);
            }
        }
    }
}

/// Tells owners how their objects fare; gives whether one of them was changed meanwhile.
async fn tell_last<C: WatchableCluster>(cluster: &C, updates: Vec<StatusUpdate>) -> bool {
    let told = stream::iter(updates).map(async move |update| cluster.write_status(&update).await);
    let told: Vec<_> = told.buffer_unordered(STATUSES_AT_ONCE).collect().await;
    let is_outdated = |error: &ApiError| matches!(error.failure, Failure::Conflict(_));
    told.iter()
        .filter_map(|told| told.as_ref().err())
        .any(is_outdated)
}
