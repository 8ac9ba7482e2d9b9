//! What something else keeps changing is left alone for a while: no fight goes on for ever.

use tokio::time::Instant;

use super::{ContinuousDomain, backlog::Backlog, live::Live, queue::End};
use crate::reconcile::{
    Conflict, Decision, Event, ObjectKey, Outcome, WatchableCluster, plan::Judgement,
};

impl Backlog {
    /// Until when an object is left as it is, if it is: it was put right too often. Of one that is in step just
    /// now it isn't believed before its rest is over, because it was so each time it was put right.
    pub fn rests(&self, key: &ObjectKey, judgement: &Judgement, now: Instant) -> Option<Instant> {
        let desired = judgement.desired.as_ref()?;
        let until = self.repairs.rests(desired, now)?;
        let rests = match judgement.decision {
            Decision::Create | Decision::Inspect | Decision::Update(_) | Decision::Replace(_) => {
                true
            }
            Decision::Nothing => self.account.is_fought_over(key),
            _ => false,
        };
        rests.then_some(until)
    }
}

impl<D: ContinuousDomain, C: WatchableCluster> Live<'_, D, C> {
    /// Something happened to an object itself, and it isn't in step: whatever it was, what is written now
    /// answers that.
    pub(super) fn note_disturbance(&mut self, key: &ObjectKey) {
        let scope = self.scope();
        let judgement = self.judge(key, self.objects.get(key), &scope);
        if let Some(desired) = &judgement.desired {
            self.backlog.repairs.disturbed(desired, Instant::now());
        }
    }

    /// Ends a turn with nothing done: the object rests, which is told once for each rest.
    pub(super) fn put_off(&mut self, key: &ObjectKey, judgement: Judgement, until: Instant) {
        let now = Instant::now();
        if judgement.decision != Decision::Nothing && self.backlog.repairs.put_off(key) {
            let event = Event::Conflict(Conflict::Rewritten);
            let observed = self.objects.get(key);
            let outcome = Outcome::of(key.clone(), judgement.desired, observed, event);
            self.backlog.account.set(key, Some(outcome.clone()), now);
            self.tally.count(&outcome.event);
            self.monitor.outcome(&outcome, None);
        }
        self.backlog.queue.end(key, End::Rests(until), now);
    }

    /// Takes in that an object was written. Where something else is known to keep changing it, it has to stay as
    /// it is for a while before it is believed that this is over.
    pub(super) fn note_repair(
        &mut self,
        outcome: &Outcome,
        was_fought_over: bool,
        now: Instant,
    ) -> Option<Instant> {
        let key = &outcome.key;
        let Some(desired) = &outcome.desired else {
            self.backlog.repairs.forget(key);
            return None;
        };
        self.backlog.repairs.wrote(desired, now);
        if self.is_in_step(key) {
            self.backlog.repairs.in_step(key);
        }
        let until = self.backlog.repairs.rests(desired, now);
        let until = until.filter(|_| was_fought_over)?;
        let trouble = Outcome {
            event: Event::Conflict(Conflict::Rewritten),
            ..outcome.clone()
        };
        self.backlog.account.set(key, Some(trouble), now);
        Some(until)
    }

    /// Whether the watch has told already of what was written.
    fn is_in_step(&mut self, key: &ObjectKey) -> bool {
        let scope = self.scope();
        let judgement = self.judge(key, self.objects.get(key), &scope);
        judgement.decision == Decision::Nothing
    }
}
