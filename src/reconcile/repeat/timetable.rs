//! Who is due, and when somebody will be: by the clocks, after failures, and because something happened.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

use super::{moment::Moment, prospect::Turnout};
use crate::reconcile::{Backoff, Owner};

/// By which part of the time until then a moment is put off at the most, so that clusters with the same
/// moments don't come to a provider in step.
const LONGEST_DETOUR: f64 = 0.05;
/// By how much a moment is put off at the most.
const LONGEST_DELAY: SignedDuration = SignedDuration::from_mins(3);
/// How long after something happened its owner is due: what happens together is served together.
const SETTLING: Duration = Duration::from_millis(200);
/// Nobody is due by the clock so soon after the last time, whatever a provider announces.
const SPACING: SignedDuration = SignedDuration::from_secs(5);
/// How often the wall clock is looked at: it may have jumped, or the machine may have slept.
const GLANCE: Duration = Duration::from_mins(1);
/// A wall clock that went back by more was wrong before, and so is what was reckoned by it.
const SET_BACK: SignedDuration = SignedDuration::from_mins(1);

const FAILED: Backoff = Backoff {
    first: Duration::from_secs(4),
    longest: Duration::from_mins(15),
};
const CONFLICT: Backoff = Backoff {
    first: Duration::from_mins(1),
    longest: Duration::from_mins(30),
};
const LATE: Backoff = Backoff {
    first: Duration::from_mins(5),
    longest: Duration::from_hours(4),
};
/// Between two repairs of the same object, if it is damaged again and again.
const DAMAGED: Backoff = Backoff {
    first: Duration::from_secs(2),
    longest: Duration::from_mins(5),
};
/// An object that nobody has damaged for so long is repaired at once again.
const CALM: Duration = Duration::from_mins(10);

/// Who is due, and when somebody will be.
pub struct Timetable {
    entries: BTreeMap<Owner, Entry>,
    /// By which part of what is allowed moments are put off, between 0 and 1: the same for all, so that
    /// what is due together stays together.
    share: f64,
}

#[derive(Default)]
struct Entry {
    asked: Option<Asked>,
    regular: Option<Regular>,
    again: Option<Again>,
    failures: u32,
    turnout: Option<Turnout>,
    /// How often it was damaged lately, and when last.
    damaged: Option<(u32, Instant)>,
    is_busy: bool,
}

/// Something happened.
#[derive(Clone, Copy)]
struct Asked {
    since: Instant,
    earliest: Instant,
    latest: Instant,
}

/// A moment by the wall clock.
struct Regular {
    /// From then on it may come along with others.
    earliest: Timestamp,
    /// Then it is due.
    latest: Timestamp,
    /// When that was reckoned.
    reckoned: Timestamp,
}

/// Another attempt.
struct Again {
    earliest: Instant,
    latest: Instant,
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
        let known = entry.asked.filter(|asked| asked.earliest <= now);
        let since = entry.asked.map_or(now, |asked| asked.since);
        let asked = Asked {
            since,
            ..Asked::after(Duration::ZERO, now)
        };
        entry.asked = Some(known.unwrap_or(asked));
    }

    /// An object of the owner was damaged: it is due at once, unless that happens all the time.
    pub fn repair(&mut self, owner: &Owner, now: Instant) {
        let entry = self.entries.entry(owner.clone()).or_default();
        let recent = entry.damaged.filter(|(_, last)| now < *last + CALM);
        let times = recent.map_or(0, |(times, _)| times);
        entry.damaged = Some((times + 1, now));
        if entry.asked.is_none() {
            let pause = if times == 0 {
                Duration::ZERO
            } else {
                DAMAGED.delay(times)
            };
            entry.asked = Some(Asked::after(pause, now));
        }
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
            entry.is_busy = true;
            entry.again = None;
            if let Some(asked) = entry.asked.take() {
                since.insert(owner.clone(), asked.since);
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
        let share = self.share;
        let entry = self.entries.entry(owner.clone()).or_default();
        entry.is_busy = false;
        let is_same = entry.turnout.is_some_and(|former| {
            std::mem::discriminant(&former) == std::mem::discriminant(&turnout)
        });
        entry.failures = if is_same { entry.failures + 1 } else { 1 };
        entry.turnout = Some(turnout);
        entry.regular = next.map(|next| Regular::new(next, share, now.wall));
        entry.again = again(turnout, entry.failures, now);
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
                entry.is_busy = false;
                let since = since.get(owner).copied().unwrap_or(now);
                let asked = entry.asked.map_or(since, |asked| asked.since.min(since));
                entry.asked = Some(Asked {
                    since: asked,
                    earliest: now,
                    latest: now,
                });
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
        let Some(entry) = self.entries.get_mut(owner) else {
            return true;
        };
        entry.is_busy = false;
        entry.regular = None;
        entry.turnout = None;
        entry.asked.is_none()
    }
}

fn again(turnout: Turnout, failures: u32, now: Moment) -> Option<Again> {
    let (backoff, until) = match turnout {
        Turnout::Good => return None,
        Turnout::Late | Turnout::Refused => (LATE, None),
        Turnout::Conflict => (CONFLICT, None),
        Turnout::Failed(until) => (FAILED, until),
    };
    // A provider that names a moment isn't asked before, but no longer left alone than any that fails.
    let asked = until.map(|until| until.duration_since(now.wall));
    let asked = asked.and_then(|asked| Duration::try_from(asked).ok());
    let delay = backoff.delay(failures);
    let delay = delay.max(asked.unwrap_or_default());
    let least = asked.unwrap_or_default().max(delay / 2);
    Some(Again {
        earliest: now.instant + least,
        latest: now.instant + delay,
    })
}

impl Asked {
    fn after(pause: Duration, now: Instant) -> Self {
        Self {
            since: now,
            earliest: now + pause,
            latest: now + pause + SETTLING,
        }
    }
}

impl Regular {
    fn new(next: Timestamp, share: f64, now: Timestamp) -> Self {
        let soonest = now.saturating_add(SPACING).unwrap_or(Timestamp::MAX);
        let earliest = next.max(soonest);
        let detour = earliest.duration_since(now).as_secs_f64() * LONGEST_DETOUR;
        let most = detour.min(LONGEST_DELAY.as_secs_f64());
        let delay = SignedDuration::from_secs_f64(most * share);
        Self {
            earliest,
            latest: earliest.saturating_add(delay).unwrap_or(Timestamp::MAX),
            reckoned: now,
        }
    }

    fn is_void(&self, now: Timestamp) -> bool {
        self.reckoned.duration_since(now) > SET_BACK
    }
}

impl Entry {
    /// Whether its time has come.
    fn is_due(&self, now: Moment) -> bool {
        let asked = self.asked.is_some_and(|asked| asked.latest <= now.instant);
        let again = self.again.as_ref();
        let again = again.is_some_and(|again| again.latest <= now.instant);
        let regular = self.regular.as_ref();
        let regular =
            regular.is_some_and(|regular| regular.latest <= now.wall || regular.is_void(now.wall));
        asked || again || regular
    }

    /// Whether it may come along.
    fn is_ready(&self, now: Moment) -> bool {
        let asked = self
            .asked
            .is_some_and(|asked| asked.earliest <= now.instant);
        let again = self.again.as_ref();
        let again = again.is_some_and(|again| again.earliest <= now.instant);
        let regular = self.regular.as_ref();
        let regular = regular
            .is_some_and(|regular| regular.earliest <= now.wall || regular.is_void(now.wall));
        asked || again || regular
    }

    fn next(&self, now: Moment) -> Option<Instant> {
        let asked = self.asked.map(|asked| asked.latest);
        let again = self.again.as_ref().map(|again| again.latest);
        let regular = self.regular.as_ref().map(|regular| {
            let wait = regular.latest.duration_since(now.wall);
            now.instant + Duration::try_from(wait).unwrap_or_default().min(GLANCE)
        });
        [asked, again, regular].into_iter().flatten().min()
    }
}

#[cfg(test)]
#[path = "timetable_tests.rs"]
mod tests;
