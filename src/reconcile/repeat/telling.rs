//! Passes on to whoever follows the rounds what a run tells, and remembers what the timetable needs of it.

use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap, HashSet},
};

use tokio::time::Instant;

use super::Turnout;
use crate::reconcile::{Event, Finding, Monitor, ObjectKey, Outcome, Owner, Reporter, Skip, Tally};

/// Hears what one run does.
pub struct Telling<'a, 'm> {
    monitor: &'a RefCell<&'m mut dyn Monitor>,
    /// Since when the owners wait that are waiting.
    since: &'a BTreeMap<Owner, Instant>,
    /// What it told.
    pub told: Told,
}

/// What a run told.
#[derive(Default)]
pub struct Told {
    /// How many objects met which end.
    pub tally: Tally,
    /// What a person should know.
    pub findings: Vec<Finding>,
    /// The objects that were written.
    pub wrote: HashSet<ObjectKey>,
    /// How the owners fared whose objects aren't in step.
    pub troubles: HashMap<Owner, Turnout>,
}

impl<'a, 'm> Telling<'a, 'm> {
    /// Nothing was told yet.
    pub fn new(
        monitor: &'a RefCell<&'m mut dyn Monitor>,
        since: &'a BTreeMap<Owner, Instant>,
    ) -> Self {
        Self {
            monitor,
            since,
            told: Told::default(),
        }
    }
}

impl Reporter for Telling<'_, '_> {
    fn planned(&mut self, _steps: usize, _in_step: usize) {}

    fn outcome(&mut self, outcome: Outcome) {
        let owner = outcome.owner.as_ref();
        let since = owner.and_then(|owner| self.since.get(owner));
        let waited = since.map(Instant::elapsed);
        self.monitor.borrow_mut().outcome(&outcome, waited);
        self.told.tally.count(&outcome.event);
        let turnout = match outcome.event {
            Event::Conflict(_) => Turnout::Conflict,
            Event::Failed(_) | Event::Skipped(Skip::BeingDeleted) => Turnout::Failed(None),
            Event::Unchanged | Event::Skipped(_) => return,
            _ => {
                self.told.wrote.insert(outcome.key);
                return;
            }
        };
        if let Some(owner) = outcome.owner {
            let known = self.told.troubles.entry(owner).or_insert(turnout);
            *known = known.or_worse(turnout);
        }
    }

    fn finding(&mut self, finding: Finding) {
        self.told.findings.push(finding);
    }
}
