//! Gives objects their turn: decides anew what is to be done, has it done, and takes in what came of it.

use std::rc::Rc;

use futures::FutureExt;
use tokio::time::Instant;

use super::{
    ContinuousDomain, Priority,
    live::{Done, Live},
    queue::{End, Turn},
};
use crate::reconcile::{
    ApiError, Decision, Depth, Event, Failure, Input, ObjectKey, Observed, Outcome, RawObject,
    Scope, Settler, Step, WatchableCluster,
};

/// How many objects are read at once.
const READS_AT_ONCE: usize = 8;

/// While there is always more to plan, at most this part of the time goes into planning.
const PLANNING_SHARE: u32 = 10;

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
            && !self.outage.lasts(now)
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
        while self.has_room()
            && self.may_begin(now)
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
        if let Some(until) = self.backlog.rests(&turn.key, &judgement, Instant::now()) {
            return self.put_off(&turn.key, judgement, until);
        }
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
            Decision::Delete | Decision::Release | Decision::Orphan => {
                let Some((step, scope)) = confirmed else {
                    self.backlog.doomed.insert(turn.key.clone());
                    let queue = &mut self.backlog.queue;
                    return queue.end(&turn.key, End::InStep, Instant::now());
                };
                self.backlog.removing.insert(turn.key.clone());
                self.settle(turn, step, scope);
            }
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
        if end(&outcome.event) != End::Written || !self.is_heard_of(&turn.key) {
            self.backlog.removing.remove(&turn.key);
        }
        if outcome.event.is_interruption() {
            self.interrupted += 1;
            self.backlog.queue.end(&turn.key, End::InStep, now);
            return;
        }
        if let Event::Failed(error) = &outcome.event
            && matches!(error.failure, Failure::NotConnected(_))
        {
            self.backlog.queue.end(&turn.key, End::Unreached, now);
            return self.note_outage(error, now);
        }
        self.end_outage();
        if let Some(seen) = seen
            && outcome.event == Event::Unchanged
        {
            self.objects.remember(seen);
        }
        let was_fought_over = self.backlog.account.is_fought_over(&turn.key);
        self.backlog.account.note(outcome, now);
        self.end_turn(&turn.key, outcome, was_fought_over, now);
        self.tally.count(&outcome.event);
        self.monitor.outcome(outcome, Some(now - turn.since));
    }

    /// It isn't the object's fault that nobody is there to ask.
    fn note_outage(&mut self, error: &ApiError, now: Instant) {
        if let Some(pause) = self.outage.fail(now) {
            self.monitor.trouble(error, pause);
        }
    }

    /// Somebody is there to ask.
    pub(super) fn end_outage(&mut self) {
        self.outage.end();
        self.passes.resume(Instant::now());
    }

    fn end_turn(
        &mut self,
        key: &ObjectKey,
        outcome: &Outcome,
        was_fought_over: bool,
        now: Instant,
    ) {
        let end = match end(&outcome.event) {
            End::Written if !self.is_heard_of(key) => End::InStep,
            End::Written => {
                let rest = self.note_repair(outcome, was_fought_over, now);
                rest.map_or(End::Written, End::Rests)
            }
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
        if matches!(end, End::Failed | End::Conflict | End::Rests(_)) {
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
            Err(error) if matches!(error.failure, Failure::NotConnected(_)) => {
                self.reads.end(&turn.key, End::Unreached, now);
                return self.note_outage(error, now);
            }
            Err(error) => {
                if !matches!(error.failure, Failure::Interrupted) {
                    self.monitor.trouble(error, std::time::Duration::ZERO);
                }
                End::Failed
            }
        };
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

    /// Whether turns may begin at all: not before the first plan is made, nor while nobody is there to ask.
    pub(super) fn may_begin(&self, now: Instant) -> bool {
        (self.is_ready || !self.replan) && !self.outage.lasts(now)
    }

    /// Whether there is room for one more object's turn.
    pub(super) fn has_room(&self) -> bool {
        self.turns < self.ground.options.parallelism
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
