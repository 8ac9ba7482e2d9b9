//! What the owners are to be told: what became of their objects, as long as that isn't all well.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use tokio::time::Instant;

use crate::reconcile::{Event, Finding, ObjectKey, Outcome, Owner, Skip};

/// How long after the last status the next one is written at the earliest.
const SPACING: Duration = Duration::from_secs(1);

/// How long a status may be out of date while there is no end of work.
const LONGEST_DELAY: Duration = Duration::from_secs(10);

/// What the owners are to be told.
pub struct Account {
    /// What isn't in step, and why.
    troubles: HashMap<ObjectKey, Vec<Outcome>>,
    /// The last object that was written for each owner since it was told.
    written: HashMap<Owner, Outcome>,
    /// What people have been told already.
    told: HashSet<(Option<Owner>, String)>,
    /// Since when there is something to tell.
    changed: Option<Instant>,
    next: Instant,
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
        }
    }

    /// There is something to tell.
    pub fn touch(&mut self, now: Instant) {
        self.changed.get_or_insert(now);
    }

    /// Notes what became of an object.
    pub fn note(&mut self, outcome: &Outcome, now: Instant) {
        self.touch(now);
        match &outcome.event {
            Event::Conflict(_) | Event::Failed(_) | Event::Skipped(Skip::BeingDeleted) => {
                self.troubles
                    .insert(outcome.key.clone(), vec![outcome.clone()]);
            }
            Event::Unchanged | Event::Skipped(_) => {
                self.troubles.remove(&outcome.key);
            }
            _ => {
                self.troubles.remove(&outcome.key);
                if let Some(owner) = &outcome.owner {
                    self.written.insert(owner.clone(), outcome.clone());
                }
            }
        }
    }

    /// Notes what is wrong with an object although nothing was attempted; nothing, if it is none.
    pub fn set(&mut self, key: &ObjectKey, troubles: Vec<Outcome>, now: Instant) {
        let known = self.troubles.get(key);
        let events = |outcomes: &[Outcome]| -> Vec<Event> {
            outcomes.iter().map(|one| one.event.clone()).collect()
        };
        if known.map(|known| events(known)).unwrap_or_default() == events(&troubles) {
            return;
        }
        self.touch(now);
        if troubles.is_empty() {
            self.troubles.remove(key);
        } else {
            self.troubles.insert(key.clone(), troubles);
        }
    }

    /// Whether something else has an object's place, as far as is known.
    pub fn is_conflict(&self, key: &ObjectKey) -> bool {
        let known = self.troubles.get(key).into_iter().flatten();
        known
            .into_iter()
            .any(|one| matches!(one.event, Event::Conflict(_)))
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
        let troubles = self.troubles.values().flatten().cloned();
        troubles.chain(written).collect()
    }

    /// What couldn't be told is tried again, but not at once.
    pub fn postpone(&mut self, now: Instant) {
        self.touch(now);
        self.next = now + LONGEST_DELAY;
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
