//! What is known to be out of step: what waits for its turn, what nobody seems to want, and what can't be
//! mended.

use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

use tokio::time::Instant;

use super::{Priority, account::Account, queue::Queue, repairs::Repairs};
use crate::reconcile::{
    Conflict, Decision, Desired, Event, ObjectKey, Observed, Outcome, Scope, Skip, Step,
    plan::Judgement,
};

/// What is known to be out of step.
pub struct Backlog {
    /// What waits for its turn.
    pub queue: Queue,
    /// Nobody seems to want these; a pass has to say so, too.
    pub doomed: HashSet<ObjectKey>,
    /// Nobody wants these, and to get rid of them has failed: a later pass tries again.
    pub refused: HashSet<ObjectKey>,
    /// A pass has said that nobody wants these.
    pub confirmed: HashMap<ObjectKey, (Step, Rc<Scope>)>,
    /// What something else keeps changing.
    pub repairs: Repairs,
    /// These are being removed, or were, and the watch hasn't told of that yet: what is known of them is old.
    pub removing: HashSet<ObjectKey>,
    /// What the owners are to be told.
    pub account: Account,
}

impl Backlog {
    /// Nothing is known.
    pub fn new(now: Instant) -> Self {
        Self {
            queue: Queue::default(),
            doomed: HashSet::new(),
            refused: HashSet::new(),
            confirmed: HashMap::new(),
            repairs: Repairs::new(now),
            removing: HashSet::new(),
            account: Account::new(now),
        }
    }

    /// The watch has told of a state of the object: what is known of it isn't old any more.
    pub fn echo(&mut self, key: &ObjectKey) {
        self.removing.remove(key);
        self.queue.echo(key);
    }

    /// All objects were read anew.
    pub fn echo_all(&mut self) {
        self.removing.clear();
        self.queue.echo_all();
    }

    /// What waits for its turn, or for a pass that looks into it.
    pub fn waiting(&self) -> impl Iterator<Item = &ObjectKey> {
        self.queue.waiting().chain(&self.doomed)
    }

    /// Whether an object is to be brought in step yet, and nothing else is told of it to whoever wants it.
    pub fn is_waiting(&self, desired: &Desired) -> bool {
        self.queue.is_in_work(&desired.key) && !self.account.is_told_of(desired)
    }

    /// Takes back all that waits: nothing is to be done about it.
    pub fn forgo(&mut self) {
        let waiting: Vec<ObjectKey> = self.waiting().cloned().collect();
        for key in waiting {
            self.queue.remove(&key);
        }
        self.doomed.clear();
    }

    /// Does what a judgement on an object asks for; gives whether that is to write to it.
    pub fn heed(
        &mut self,
        key: &ObjectKey,
        judgement: Judgement,
        observed: Option<&Observed>,
        priority: Priority,
    ) -> bool {
        let now = Instant::now();
        if priority == Priority::Newcomer || judgement.desired.is_none() {
            self.repairs.forget(key);
        }
        let rests = self.rests(key, &judgement, now).is_some();
        let Judgement {
            desired,
            decision,
            losers,
            ..
        } = judgement;
        self.account.set_losers(key, told(losers), now);
        match decision {
            Decision::Create | Decision::Inspect | Decision::Update(_) | Decision::Replace(_) => {
                self.doomed.remove(key);
                self.refused.remove(key);
                if !self.is_left_waiting(key, desired.as_ref(), priority, now) {
                    self.queue.add(key, priority, now);
                }
                return true;
            }
            Decision::Delete | Decision::Release | Decision::Orphan => {
                let is_refused = priority == Priority::Bulk && self.refused.contains(key);
                if is_refused || self.confirmed.contains_key(key) {
                    return false;
                }
                if self.removing.contains(key) {
                    self.queue.remove(key);
                    return false;
                }
                self.refused.remove(key);
                self.doomed.insert(key.clone());
            }
            Decision::Nothing | Decision::Conflict(_) | Decision::Wait => {
                self.doomed.remove(key);
                self.refused.remove(key);
                if rests {
                    return false;
                }
                // What is heard of a write before its answer comes doesn't mean that it was none.
                if decision == Decision::Nothing && !self.queue.is_busy(key) {
                    self.repairs.in_step(key);
                }
            }
        }
        if !self.confirmed.contains_key(key) {
            self.queue.remove(key);
        }
        let trouble =
            event(decision).map(|event| Outcome::of(key.clone(), desired, observed, event));
        self.account.set(key, trouble, now);
        false
    }

    /// Whether an object that waits to be tried again goes on waiting, although it is asked for.
    fn is_left_waiting(
        &self,
        key: &ObjectKey,
        desired: Option<&Desired>,
        priority: Priority,
        now: Instant,
    ) -> bool {
        // What the wish of before has failed with, this one would.
        let is_hopeless = || priority == Priority::Bulk && self.account.is_tried(key, desired);
        let is_put_off = || desired.is_some_and(|desired| self.repairs.is_put_off(desired, now));
        self.queue.is_delayed(key) && (is_hopeless() || is_put_off())
    }
}

/// What is wrong with an object although nothing is to be done.
fn event(decision: Decision) -> Option<Event> {
    match decision {
        Decision::Conflict(conflict) => Some(Event::Conflict(conflict)),
        Decision::Wait => Some(Event::Skipped(Skip::BeingDeleted)),
        _ => None,
    }
}

/// What those are told who want an object and don't get it.
fn told(losers: Vec<(Desired, Conflict)>) -> Vec<Outcome> {
    let losers = losers.into_iter().map(|(desired, conflict)| {
        let key = desired.key.clone();
        Outcome::of(key, Some(desired), None, Event::Conflict(conflict))
    });
    losers.collect()
}

#[cfg(test)]
#[path = "backlog_tests.rs"]
mod tests;
