//! What the owners are to be told: what became of their objects, as long as that isn't all well.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use tokio::time::Instant;

use crate::reconcile::{
    Backoff, Conflict, ConflictPolicy, Desired, Event, Finding, Namespace, ObjectKey, Outcome,
    Owner, Skip, Template,
};

/// How long after the last status the next one is written at the earliest.
const SPACING: Duration = Duration::from_secs(1);

/// How long a status may be out of date while there is no end of work.
const LONGEST_DELAY: Duration = Duration::from_secs(10);

/// How long after a status that couldn't be written the next one is tried.
const REFUSED: Backoff = Backoff {
    first: LONGEST_DELAY,
    longest: Duration::from_mins(5),
};

/// What the owners are to be told.
pub struct Account {
    /// What isn't in step, and why.
    troubles: HashMap<ObjectKey, Trouble>,
    /// The last object that was written for each owner since it was told.
    written: HashMap<Owner, Outcome>,
    /// What people have been told already.
    told: HashSet<(Option<Owner>, String)>,
    /// Since when there is something to tell.
    changed: Option<Instant>,
    next: Instant,
    /// How often in a row the owners couldn't be told.
    refusals: u32,
}

/// What is wrong with an object.
#[derive(Default)]
struct Trouble {
    /// What became of it, or why nothing is to be done about it.
    own: Option<Outcome>,
    /// What others are told who want it too, and don't get it whatever becomes of it.
    losers: Vec<Outcome>,
}

impl Trouble {
    fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        self.own.iter().chain(&self.losers)
    }
}

impl Account {
    /// Nothing has happened yet.
    pub fn new(now: Instant) -> Self {
        Self {
            troubles: HashMap::new(),
            written: HashMap::new(),
            told: HashSet::new(),
            changed: None,
            next: now,
            refusals: 0,
        }
    }

    /// There is something to tell.
    pub fn touch(&mut self, now: Instant) {
        self.changed.get_or_insert(now);
    }

    /// Notes what became of an object.
    pub fn note(&mut self, outcome: &Outcome, now: Instant) {
        self.touch(now);
        let trouble = match &outcome.event {
            Event::Conflict(_) | Event::Failed(_) | Event::Skipped(Skip::BeingDeleted) => {
                Some(outcome.clone())
            }
            Event::Unchanged | Event::Skipped(_) => None,
            _ => {
                if let Some(owner) = &outcome.owner {
                    self.written.insert(owner.clone(), outcome.clone());
                }
                None
            }
        };
        self.change(&outcome.key, |known| known.own = trouble);
    }

    /// Notes what is wrong with an object although nothing was attempted; none if it is nothing.
    pub fn set(&mut self, key: &ObjectKey, trouble: Option<Outcome>, now: Instant) {
        let known = self.troubles.get(key).and_then(|known| known.own.as_ref());
        if !are_same(known, trouble.as_ref()) {
            self.touch(now);
            self.change(key, |known| known.own = trouble);
        }
    }

    /// Notes who wants an object, too, and doesn't get it.
    pub fn set_losers(&mut self, key: &ObjectKey, losers: Vec<Outcome>, now: Instant) {
        let known = self.troubles.get(key).into_iter();
        if !are_same(known.flat_map(|known| &known.losers), &losers) {
            self.touch(now);
            self.change(key, |known| known.losers = losers);
        }
    }

    fn change(&mut self, key: &ObjectKey, change: impl FnOnce(&mut Trouble)) {
        let trouble = self.troubles.entry(key.clone()).or_default();
        change(trouble);
        if trouble.outcomes().next().is_none() {
            self.troubles.remove(key);
        }
    }

    /// Whether this wish for an object is known not to come true just now: to try again would be of no use.
    pub fn is_tried(&self, key: &ObjectKey, desired: Option<&Desired>) -> bool {
        let known = self.troubles.get(key).and_then(|known| known.own.as_ref());
        known.is_some_and(|known| match (&known.desired, desired) {
            (Some(tried), Some(desired)) => {
                is_same_wish(tried, desired, is_out_of_reach(&known.event))
            }
            (None, None) => true,
            _ => false,
        })
    }

    /// Whether something else is told already to whoever has this wish.
    pub fn is_told_of(&self, desired: &Desired) -> bool {
        let known = self.troubles.get(&desired.key);
        known.is_some_and(|known| {
            let Template { owner, source, .. } = &*desired.template;
            let wished = |loser: &Outcome| {
                loser.owner.as_ref() == Some(owner) && loser.source.as_ref() == Some(source)
            };
            known.own.is_some() || known.losers.iter().any(wished)
        })
    }

    /// Whether it is told of an object that something else keeps changing it.
    pub fn is_fought_over(&self, key: &ObjectKey) -> bool {
        let known = self.troubles.get(key).and_then(|known| known.own.as_ref());
        known.is_some_and(|known| known.event == Event::Conflict(Conflict::Rewritten))
    }

    /// The objects that aren't in step, as far as is known.
    pub fn troubled_keys(&self) -> impl Iterator<Item = &ObjectKey> {
        self.troubles.keys()
    }

    /// Those of them that are in a namespace.
    pub fn troubled_in(&self, namespace: &Namespace) -> impl Iterator<Item = &ObjectKey> {
        let keys = self.troubles.keys();
        keys.filter(move |key| key.namespace.as_ref() == Some(namespace))
    }

    /// How many objects aren't in step, and why is known.
    pub fn troubled(&self) -> usize {
        self.troubles.len()
    }

    /// When the owners are to be told, if there is something to tell: as soon as no work is left, or else
    /// once in a while.
    pub fn due(&self, quiet: bool) -> Option<Instant> {
        let overdue = self.changed? + LONGEST_DELAY;
        Some(if quiet {
            self.next
        } else {
            overdue.max(self.next)
        })
    }

    /// What the owners are to be told of; it is told from now on.
    pub fn settle(&mut self, now: Instant) -> Vec<Outcome> {
        self.changed = None;
        self.next = now + SPACING;
        let written = self.written.drain().map(|(_, outcome)| outcome);
        let troubles = self.troubles.values().flat_map(Trouble::outcomes).cloned();
        troubles.chain(written).collect()
    }

    /// All was told.
    pub fn is_told(&mut self) {
        self.refusals = 0;
    }

    /// What couldn't be told is tried again, but not at once.
    pub fn postpone(&mut self, now: Instant) {
        self.touch(now);
        self.refusals += 1;
        self.next = now + REFUSED.delay(self.refusals);
    }

    /// Those of the findings that haven't been told yet.
    pub fn untold(&mut self, findings: Vec<Finding>) -> Vec<Finding> {
        let id = |finding: &Finding| (finding.owner.clone(), finding.message.clone());
        let current: HashSet<_> = findings.iter().map(id).collect();
        let told = std::mem::replace(&mut self.told, current);
        let mut findings = findings;
        findings.retain(|finding| !told.contains(&id(finding)));
        findings
    }
}

/// Whether the same is told of the same owners.
fn are_same<'a>(
    one: impl IntoIterator<Item = &'a Outcome>,
    other: impl IntoIterator<Item = &'a Outcome>,
) -> bool {
    let told = |outcome: &'a Outcome| (&outcome.owner, &outcome.event);
    one.into_iter().map(told).eq(other.into_iter().map(told))
}

/// Whether somebody else has the place, so that what exactly is wanted there may not matter.
fn is_out_of_reach(event: &Event) -> bool {
    matches!(
        event,
        Event::Conflict(Conflict::NotOurs { .. } | Conflict::LeftBy(_))
    )
}

/// Whether two wishes lead to the same end. What is out of reach is left alone whatever is wanted, unless the
/// owner says otherwise.
fn is_same_wish(one: &Desired, other: &Desired, is_out_of_reach: bool) -> bool {
    let (one, other) = (&*one.template, &*other.template);
    let is_hopeless = is_out_of_reach && other.policies.conflict == ConflictPolicy::Skip;
    let is_equal = one.hash() == other.hash() && one.carried_digest() == other.carried_digest();
    one.owner == other.owner && one.policies == other.policies && (is_hopeless || is_equal)
}

#[cfg(test)]
#[path = "account_tests.rs"]
mod tests;
