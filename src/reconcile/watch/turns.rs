//! Gives objects their turn, and what else there is to do: reads, passes, statuses.

use std::rc::Rc;

use futures::{FutureExt, StreamExt, stream};
use jiff::Timestamp;
use tokio::time::Instant;

use super::{
    ContinuousDomain, Priority,
    backlog::Backlog,
    live::{Done, Live},
    pass::{Pass, pass},
    queue::{End, Turn},
};
use crate::reconcile::{
    ApiError, Backoff, Decision, Depth, Event, Failure, Input, ObjectKey, Observed, Outcome, Owner,
    RawObject, RunError, Scope, Settler, Step, WatchableCluster, scattered,
};

/// How many objects are read at once.
const READS_AT_ONCE: usize = 8;

/// While there is always more to plan, at most this part of the time goes into planning.
const PLANNING_SHARE: u32 = 10;

/// How many times as long as a pass took no other one follows.
const PASS_REST: u32 = 4;

/// How long after a pass that failed the next one comes.
const PASS: Backoff = Backoff {
    first: std::time::Duration::from_secs(1),
    longest: std::time::Duration::from_mins(5),
};

impl<D: ContinuousDomain, C: WatchableCluster> Live<'_, D, C> {
    /// What the watch answers for.
    pub(super) fn scope(&mut self) -> Rc<Scope> {
        let domain = &self.ground.domain;
        let scope = self
            .scope
            .get_or_insert_with(|| Rc::new(domain.borrow().scope()));
        Rc::clone(scope)
    }

    pub(super) fn is_informed(&self) -> bool {
        let domain = self.ground.domain.borrow();
        let collections = domain.collections();
        let answered = |one| self.answered.contains(one);
        domain.is_informed() && collections.iter().all(answered)
    }

    /// Compares everything that should exist with what does.
    pub(super) fn plan_anew(&mut self, now: Instant) {
        if !self.replan || now < self.replan_at || !self.is_informed() {
            return;
        }
        self.replan = false;
        self.look_at_all();
        self.tell_findings();
        self.replan_at = Instant::now() + now.elapsed() * (PLANNING_SHARE - 1);
        if !self.is_ready && self.ground.domain.borrow().is_complete() {
            self.is_ready = true;
            self.monitor.ready();
        }
    }

    fn tell_findings(&mut self) {
        let domain = self.ground.domain.borrow();
        if domain.is_complete() {
            for finding in self.backlog.account.untold(domain.findings()) {
                self.monitor.finding(&finding);
            }
        }
    }

    /// Reads objects of which is known only that they changed.
    pub(super) fn begin_reads(&mut self, now: Instant) {
        while self.may_read()
            && let Some(turn) = self.reads.next(now)
        {
            let ground = self.ground;
            let read = async move {
                let input = Input::Get(turn.key.clone());
                let read = async || {
                    let reduce =
                        |object: RawObject<'_>| ground.domain.borrow().reduce(&input, object);
                    ground.cluster.get(&turn.key, Depth::Full, reduce).await
                };
                let read = ground.pace.request(read).await.result;
                Done::Read(turn, read.map(Option::flatten))
            };
            self.in_flight.push(read.boxed_local());
        }
    }

    /// Gives as many objects their turn as may have it at once.
    pub(super) fn begin_turns(&mut self, now: Instant) {
        if (self.replan && !self.is_ready) || self.outage.lasts(now) {
            return;
        }
        while self.has_room()
            && let Some(turn) = self.backlog.queue.next(now)
        {
            self.begin_turn(turn);
        }
    }

    /// What an object should be is asked for only now: what was asked for before is out of date.
    fn begin_turn(&mut self, turn: Turn) {
        let scope = self.scope();
        let observed = self.objects.get(&turn.key);
        let judgement = self.judge(&turn.key, observed, &scope);
        let confirmed = self.backlog.confirmed.remove(&turn.key);
        match judgement.decision {
            Decision::Create | Decision::Inspect | Decision::Update(_) | Decision::Replace(_) => {
                let step = Step {
                    key: turn.key.clone(),
                    desired: judgement.desired,
                    observed: observed.cloned().map(Box::new),
                    rivals: judgement.rivals,
                    decision: judgement.decision,
                };
                self.settle(turn, step, scope);
            }
            Decision::Delete | Decision::Release | Decision::Orphan => match confirmed {
                Some((step, scope)) => self.settle(turn, step, scope),
                None => {
                    self.backlog.doomed.insert(turn.key.clone());
                    self.backlog
                        .queue
                        .end(&turn.key, End::InStep, Instant::now());
                }
            },
            Decision::Nothing | Decision::Conflict(_) | Decision::Wait => {
                self.backlog
                    .queue
                    .end(&turn.key, End::InStep, Instant::now());
                let key = &turn.key;
                self.backlog.heed(key, judgement, observed, Priority::Bulk);
            }
        }
    }

    fn settle(&mut self, turn: Turn, step: Step, scope: Rc<Scope>) {
        let ground = self.ground;
        self.turns += 1;
        let settled = async move {
            let settler = Settler {
                cluster: ground.cluster,
                pace: ground.pace,
                scope: &scope,
                observer: &ground.observer,
            };
            let (outcome, seen) = settler.settle_seeing(step).await;
            Done::Turn(turn, Box::new(outcome), seen)
        };
        self.in_flight.push(settled.boxed_local());
    }

    /// Takes in something that was done.
    pub(super) fn finish(&mut self, done: Done<D::Fact>) {
        match done {
            Done::Turn(turn, outcome, seen) => {
                self.turns -= 1;
                self.finish_turn(&turn, &outcome, seen);
            }
            Done::Read(turn, read) => self.finish_read(&turn, read),
        }
    }

    fn finish_turn(&mut self, turn: &Turn, outcome: &Outcome, seen: Option<Box<Observed>>) {
        let now = Instant::now();
        if outcome.event.is_interruption() {
            self.interrupted += 1;
            self.backlog.queue.end(&turn.key, End::InStep, now);
            return;
        }
        if let Event::Failed(error) = &outcome.event
            && matches!(error.failure, Failure::NotConnected(_))
        {
            return self.put_back(turn, error, now);
        }
        self.outage.end();
        if let Some(seen) = seen
            && outcome.event == Event::Unchanged
        {
            self.objects.remember(seen);
        }
        self.backlog.account.note(outcome, now);
        self.end_turn(&turn.key, outcome, now);
        self.tally.count(&outcome.event);
        self.monitor.outcome(outcome, Some(now - turn.since));
    }

    /// It isn't the object's fault that nobody is there to ask.
    fn put_back(&mut self, turn: &Turn, error: &ApiError, now: Instant) {
        self.backlog.queue.end(&turn.key, End::Unreached, now);
        if let Some(pause) = self.outage.fail(now) {
            self.monitor.trouble(error, pause);
        }
    }

    fn end_turn(&mut self, key: &ObjectKey, outcome: &Outcome, now: Instant) {
        let end = match end(&outcome.event) {
            End::Written if !self.is_heard_of(key) => End::InStep,
            // Only a pass may say so once more.
            End::Failed if outcome.desired.is_none() => {
                self.backlog.refused.insert(key.clone());
                self.removals.fail(now);
                End::InStep
            }
            end => end,
        };
        if outcome.desired.is_none() && !matches!(outcome.event, Event::Failed(_)) {
            self.removals.end();
        }
        self.backlog.queue.end(key, end, now);
        if matches!(end, End::Failed | End::Conflict) {
            // It may be wanted otherwise by now.
            self.look_at(key, Priority::Bulk);
        }
    }

    /// Whether the watch tells of what is written.
    fn is_heard_of(&self, key: &ObjectKey) -> bool {
        self.listed
            .iter()
            .any(|collection| collection.contains(key))
    }

    fn finish_read(&mut self, turn: &Turn, read: Result<Option<D::Fact>, ApiError>) {
        let now = Instant::now();
        let end = match &read {
            Ok(_) => End::InStep,
            Err(_) => End::Failed,
        };
        if let Err(error) = &read
            && !matches!(error.failure, Failure::Interrupted)
        {
            self.monitor.trouble(error, std::time::Duration::ZERO);
        }
        let affected = self.ground.domain.borrow_mut().read_whole(&turn.key, read);
        self.reads.end(&turn.key, end, now);
        self.backlog.account.touch(now);
        self.heed(affected);
    }

    /// Whether no work is left.
    pub(super) fn is_quiet(&self) -> bool {
        self.backlog.queue.depth() == 0
            && self.in_flight.is_empty()
            && !self.replan
            && self.backlog.doomed.is_empty()
            && self.pass.is_none()
            && self.ground.domain.borrow().is_complete()
    }

    /// Whether one more object may be read.
    pub(super) fn may_read(&self) -> bool {
        self.in_flight.len() - self.turns < READS_AT_ONCE
    }

    /// Whether one more object may have its turn.
    pub(super) fn has_room(&self) -> bool {
        self.turns < self.ground.options.parallelism
    }

    /// Begins a pass if one is due, and tells the owners if they are to be told.
    pub(super) fn begin_chores(&mut self, now: Instant) {
        if !self.is_ready {
            return;
        }
        if self.pass.is_none() && now >= self.pass_due() {
            self.pass_is_regular = now >= self.pass_at;
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
        if self.pass_failures > 0 {
            return self.pass_at;
        }
        let asked = if !doomed.is_empty() {
            Some(self.pass_rests_until)
        } else if !refused.is_empty() {
            self.removals.until()
        } else {
            None
        };
        asked.map_or(self.pass_at, |asked| {
            asked.max(self.pass_rests_until).min(self.pass_at)
        })
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
        self.pass_failures = 0;
        if self.pass_is_regular {
            self.pass_at = now + scattered(self.ground.options.resync);
        }
        self.pass_rests_until = now + took * PASS_REST;
        self.monitor.pass(took);
        self.backlog.refused.clear();
        if self.pass_is_regular && plan.steps.iter().any(|step| self.has_missed(step)) {
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
        self.pass_failures += 1;
        let pause = PASS.delay(self.pass_failures);
        self.pass_at = now + pause;
        if let RunError::Api(error) = error {
            self.monitor.trouble(error, pause);
        }
        tracing::warn!(%error, "a full pass failed; the next one comes in {}s", pause.as_secs());
    }

    fn tell_owners(&mut self, now: Instant) {
        let outcomes = self.backlog.account.settle(now);
        let ground = self.ground;
        let mut domain = ground.domain.borrow_mut();
        domain.begin_account();
        // Asking for what is wanted counts it.
        domain.desired();
        for outcome in &outcomes {
            domain.settled(outcome);
        }
        let updates = domain.statuses(Timestamp::now());
        drop(domain);
        if updates.is_empty() {
            return;
        }
        let written = stream::iter(updates)
            .map(async move |update| {
                let write = async || ground.cluster.write_status(&update).await;
                let written = ground.pace.request(write).await;
                Some((update.owner.clone(), written.result.err()?))
            })
            .buffer_unordered(READS_AT_ONCE)
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

fn end(event: &Event) -> End {
    match event {
        Event::Unchanged | Event::Skipped(_) => End::InStep,
        Event::Conflict(_) => End::Conflict,
        Event::Failed(_) => End::Failed,
        Event::Created
        | Event::Configured(_)
        | Event::Replaced(_)
        | Event::Pruned
        | Event::Orphaned
        | Event::Released => End::Written,
    }
}
