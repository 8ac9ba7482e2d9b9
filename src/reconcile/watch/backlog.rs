//! What is known to be out of step: what waits for its turn, what nobody seems to want, and what can't be
//! mended.

use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

use tokio::time::Instant;

use super::{Priority, account::Account, queue::Queue};
use crate::reconcile::{
    Decision, Event, ObjectKey, Observed, Outcome, Scope, Skip, Step, plan::Judgement,
};

/// What is known to be out of step.
pub struct Backlog {
    /// What waits for its turn.
    pub queue: Queue,
    /// Nobody seems to want these; a pass has to say so, too.
    pub doomed: HashSet<ObjectKey>,
    /// A pass has said that nobody wants these.
    pub confirmed: HashMap<ObjectKey, (Step, Rc<Scope>)>,
    /// What the owners are to be told.
    pub account: Account,
}

impl Backlog {
    /// Nothing is known.
    pub fn new(now: Instant) -> Self {
        Self {
            queue: Queue::default(),
            doomed: HashSet::new(),
            confirmed: HashMap::new(),
            account: Account::new(now),
        }
    }

    /// Does what a judgement on an object asks for.
    pub fn heed(
        &mut self,
        key: &ObjectKey,
        judgement: Judgement,
        observed: Option<&Observed>,
        priority: Priority,
    ) {
        let now = Instant::now();
        match judgement.decision {
            Decision::Create | Decision::Inspect | Decision::Update(_) | Decision::Replace(_) => {
                self.doomed.remove(key);
                if priority > Priority::Bulk || !self.is_known_conflict(key) {
                    self.queue.add(key, priority, now);
                }
                return;
            }
            Decision::Delete | Decision::Release | Decision::Orphan => {
                self.doomed.insert(key.clone());
            }
            Decision::Nothing | Decision::Conflict(_) | Decision::Wait => {
                self.doomed.remove(key);
            }
        }
        if !self.confirmed.contains_key(key) {
            self.queue.remove(key);
        }
        self.account
            .set(key, troubles(key, judgement, observed), now);
    }

    /// Whether something else has the place, and is looked for again later on.
    fn is_known_conflict(&self, key: &ObjectKey) -> bool {
        self.queue.is_delayed(key) && self.account.is_conflict(key)
    }
}

/// What is wrong with an object although nothing is to be done.
fn troubles(key: &ObjectKey, judgement: Judgement, observed: Option<&Observed>) -> Vec<Outcome> {
    let event = match judgement.decision {
        Decision::Conflict(conflict) => Some(Event::Conflict(conflict)),
        Decision::Wait => Some(Event::Skipped(Skip::BeingDeleted)),
        _ => None,
    };
    let own = event.map(|event| Outcome::of(key.clone(), judgement.desired, observed, event));
    let losers = judgement.losers.into_iter().map(|(desired, conflict)| {
        Outcome::of(key.clone(), Some(desired), None, Event::Conflict(conflict))
    });
    own.into_iter().chain(losers).collect()
}
