//! Who is due, and when somebody will be: by the clocks, after failures, and because something happened.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use tokio::time::Instant;

use super::{entry::Entry, moment::Moment, prospect::Turnout};
use crate::reconcile::Owner;

/// Who is due, and when somebody will be.
pub struct Timetable {
    entries: BTreeMap<Owner, Entry>,
    /// By which part of what is allowed moments are put off, between 0 and 1: the same for all, so that
    /// what is due together stays together.
    share: f64,
}

impl Timetable {
    /// Nobody is known; `share`, between 0 and 1, says by how much moments are put off.
    pub fn new(share: f64) -> Self {
        Self {
            entries: BTreeMap::new(),
            share,
        }
    }

    /// Whether an owner is known.
    pub fn knows(&self, owner: &Owner) -> bool {
        self.entries.contains_key(owner)
    }

    /// Makes an owner known, without its being due.
    pub fn admit(&mut self, owner: &Owner) {
        self.entries.entry(owner.clone()).or_default();
    }

    /// Something happened: the owner is due at once.
    pub fn ask(&mut self, owner: &Owner, now: Instant) {
        let entry = self.entries.entry(owner.clone()).or_default();
        entry.ask(now);
    }

    /// An object of the owner was damaged: it is due at once, unless that happens all the time.
    pub fn repair(&mut self, owner: &Owner, now: Instant) {
        let entry = self.entries.entry(owner.clone()).or_default();
        entry.repair(now);
    }

    /// Those of a namespace whose place is taken are due: something there has changed.
    pub fn ask_conflicts_beside(&mut self, owner: &Owner, now: Instant) {
        let troubled = self.entries.iter().filter(|(other, entry)| {
            other.namespace == owner.namespace && entry.turnout == Some(Turnout::Conflict)
        });
        let troubled: Vec<Owner> = troubled.map(|(owner, _)| owner.clone()).collect();
        for owner in troubled {
            self.ask(&owner, now);
        }
    }

    /// Forgets an owner.
    pub fn forget(&mut self, owner: &Owner) {
        self.entries.remove(owner);
    }

    /// Everybody who may come along, if there is anybody whose time has come.
    pub fn due(&self, now: Moment) -> BTreeSet<Owner> {
        let idle = || self.entries.iter().filter(|(_, entry)| !entry.is_busy);
        if !idle().any(|(_, entry)| entry.is_due(now)) {
            return BTreeSet::new();
        }
        let ready = idle().filter(|(_, entry)| entry.is_ready(now));
        ready.map(|(owner, _)| owner.clone()).collect()
    }

    /// Those that need nothing yet, or whose run is under way.
    pub fn resting(&self, now: Moment) -> BTreeSet<Owner> {
        let resting = self.entries.iter().filter(|(_, entry)| {
            let is_good = entry.turnout.is_some_and(|turnout| !turnout.is_trouble());
            entry.is_busy || (is_good && !entry.is_ready(now))
        });
        resting.map(|(owner, _)| owner.clone()).collect()
    }

    /// All but these.
    pub fn others(&self, owners: &BTreeSet<Owner>) -> BTreeSet<Owner> {
        let idle = self.entries.iter().filter(|(_, entry)| !entry.is_busy);
        let others = idle.filter(|(owner, _)| !owners.contains(*owner));
        others.map(|(owner, _)| owner.clone()).collect()
    }

    /// A run for these begins; since when those are asked for that are.
    pub fn begin(&mut self, owners: &BTreeSet<Owner>) -> BTreeMap<Owner, Instant> {
        let mut since = BTreeMap::new();
        for owner in owners {
            let entry = self.entries.entry(owner.clone()).or_default();
            if let Some(asked) = entry.begin() {
                since.insert(owner.clone(), asked);
            }
        }
        since
    }

    /// Whether a run for the owner is under way.
    pub fn is_busy(&self, owner: &Owner) -> bool {
        self.entries.get(owner).is_some_and(|entry| entry.is_busy)
    }

    /// The run for an owner has ended.
    pub fn settle(
        &mut self,
        owner: &Owner,
        turnout: Turnout,
        next: Option<Timestamp>,
        now: Moment,
    ) {
        let entry = self.entries.entry(owner.clone()).or_default();
        entry.settle(turnout, next, self.share, now);
    }

    /// A run as a whole came to nothing: its owners are due as before.
    pub fn give_back(
        &mut self,
        owners: &BTreeSet<Owner>,
        since: &BTreeMap<Owner, Instant>,
        now: Instant,
    ) {
        for owner in owners {
            if let Some(entry) = self.entries.get_mut(owner) {
                entry.give_back(since.get(owner).copied(), now);
            }
        }
    }

    /// When somebody may be due who isn't yet; none if nobody will be.
    pub fn next(&self, now: Moment) -> Option<Instant> {
        let idle = self.entries.values().filter(|entry| !entry.is_busy);
        idle.filter_map(|entry| entry.next(now)).min()
    }

    /// How many are asked for and haven't got their turn, and since when the first of them waits.
    pub fn waiting(&self) -> (usize, Option<Instant>) {
        let since = || self.entries.values().filter_map(|entry| entry.asked);
        (since().count(), since().map(|asked| asked.since).min())
    }

    /// How many haven't got what they ask for.
    pub fn troubled(&self) -> usize {
        let turnouts = self.entries.values().filter_map(|entry| entry.turnout);
        turnouts.filter(|turnout| turnout.is_trouble()).count()
    }

    /// Those that nothing is to be done for, and that aren't known otherwise.
    pub fn strangers(&self, is_known: impl Fn(&Owner) -> bool) -> Vec<Owner> {
        let idle = self
            .entries
            .iter()
            .filter(|(_, entry)| !entry.is_busy && entry.asked.is_none() && entry.again.is_none());
        let strangers = idle.filter(|(owner, _)| !is_known(owner));
        strangers.map(|(owner, _)| owner.clone()).collect()
    }

    /// The run for an owner that is gone has ended; whether nothing is asked for it any more.
    pub fn dismiss(&mut self, owner: &Owner) -> bool {
        let entry = self.entries.get_mut(owner);
        entry.is_none_or(Entry::dismiss)
    }
}

#[cfg(test)]
#[path = "timetable_tests.rs"]
mod tests;
