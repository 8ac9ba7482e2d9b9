//! When one owner is due, and why.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

use super::{moment::Moment, prospect::Turnout};
use crate::reconcile::Backoff;

/// By which part of the time until then a moment is put off at the most, so that clusters with the same
/// moments don't come to a provider in step.
const LONGEST_DETOUR: f64 = 0.05;
/// By how much a moment is put off at the most.
const LONGEST_DELAY: SignedDuration = SignedDuration::from_mins(3);
/// How long after something happened its owner is due: what happens together is served together.
pub const SETTLING: Duration = Duration::from_millis(200);
/// Nobody is due by the clock so soon after the last time, whatever a provider announces.
const SPACING: SignedDuration = SignedDuration::from_secs(5);
/// How often the wall clock is looked at: it may have jumped, or the machine may have slept.
pub const GLANCE: Duration = Duration::from_mins(1);
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
pub const CALM: Duration = Duration::from_mins(10);

/// When one owner is due.
#[derive(Default)]
pub struct Entry {
    /// Something happened.
    pub asked: Option<Asked>,
    regular: Option<Regular>,
    /// It is to be tried again.
    pub again: Option<Again>,
    /// How often it has fared in the same way.
    times: u32,
    /// How it fared last.
    pub turnout: Option<Turnout>,
    /// How often it was damaged lately, and when last.
    damaged: Option<(u32, Instant)>,
    /// Whether a run for it is under way.
    pub is_busy: bool,
}

/// Something happened.
#[derive(Clone, Copy)]
pub struct Asked {
    /// When.
    pub since: Instant,
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
pub struct Again {
    earliest: Instant,
    latest: Instant,
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
    /// Something happened: it is due at once.
    pub fn ask(&mut self, now: Instant) {
        let known = self.asked.filter(|asked| asked.earliest <= now);
        let since = self.asked.map_or(now, |asked| asked.since);
        let asked = Asked {
            since,
            ..Asked::after(Duration::ZERO, now)
        };
        self.asked = Some(known.unwrap_or(asked));
    }

    /// Its object was damaged: it is due at once, unless that happens all the time.
    pub fn repair(&mut self, now: Instant) {
        let recent = self.damaged.filter(|(_, last)| now < *last + CALM);
        let times = recent.map_or(0, |(times, _)| times);
        self.damaged = Some((times + 1, now));
        let pause = match times {
            0 => Duration::ZERO,
            times => DAMAGED.delay(times),
        };
        self.asked.get_or_insert(Asked::after(pause, now));
    }

    /// A run for it begins; since when it is asked for, if it is.
    pub fn begin(&mut self) -> Option<Instant> {
        self.is_busy = true;
        self.again = None;
        Some(self.asked.take()?.since)
    }

    /// The run for it has ended.
    pub fn settle(&mut self, turnout: Turnout, next: Option<Timestamp>, share: f64, now: Moment) {
        self.is_busy = false;
        let kind = std::mem::discriminant(&turnout);
        let former = self.turnout.as_ref().map(std::mem::discriminant);
        self.times = if former == Some(kind) {
            self.times.saturating_add(1)
        } else {
            1
        };
        self.turnout = Some(turnout);
        self.regular = next.map(|next| Regular::new(next, share, now.wall));
        self.again = again(turnout, self.times, now);
    }

    /// The run for it came to nothing: it is due as before.
    pub fn give_back(&mut self, since: Option<Instant>, now: Instant) {
        self.is_busy = false;
        let since = since.unwrap_or(now);
        self.asked = Some(Asked {
            since: self.asked.map_or(since, |asked| asked.since.min(since)),
            earliest: now,
            latest: now,
        });
    }

    /// The run for it has ended, and it is gone; whether nothing is asked for it any more.
    pub fn dismiss(&mut self) -> bool {
        self.is_busy = false;
        self.regular = None;
        self.turnout = None;
        self.asked.is_none()
    }

    /// Whether its time has come.
    pub fn is_due(&self, now: Moment) -> bool {
        let asked = self.asked.is_some_and(|asked| asked.latest <= now.instant);
        let again = self.again.as_ref();
        let again = again.is_some_and(|again| again.latest <= now.instant);
        let regular = self.regular.as_ref();
        let regular =
            regular.is_some_and(|regular| regular.latest <= now.wall || regular.is_void(now.wall));
        asked || again || regular
    }

    /// Whether it may come along.
    pub fn is_ready(&self, now: Moment) -> bool {
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

    /// When its time may come.
    pub fn next(&self, now: Moment) -> Option<Instant> {
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
#[path = "entry_tests.rs"]
mod tests;
