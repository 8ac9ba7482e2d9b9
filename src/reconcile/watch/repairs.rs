//! How often objects were put right that something else keeps changing: after a few times in a row, the next
//! one has to wait.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    time::Duration,
};

use tokio::time::Instant;

use crate::reconcile::{Backoff, Desired, ObjectKey, Template};

/// So many repairs in a row are done at once.
const AT_ONCE: u32 = 4;

/// How long an object is left alone after the last of these, and after each one that follows.
const PAUSE: Backoff = Backoff {
    first: Duration::from_secs(2),
    longest: Duration::from_mins(5),
};

/// An object that needed no repair for so long, and for twice its last pause, is forgotten.
const QUIET: Duration = Duration::from_mins(1);

/// The objects that were put right lately. One that was written and then seen in step isn't among them, so
/// that writing many leaves nothing behind.
pub struct Repairs {
    entries: HashMap<ObjectKey, Entry>,
    sweep_at: Instant,
}

struct Entry {
    /// What was wanted.
    wish: u64,
    /// How often it was written although the same had been written before.
    repairs: u32,
    /// When it was last written, or found to be changed.
    last: Instant,
    /// It isn't put right again before this.
    until: Instant,
    /// Whether it was found to be changed since, and is left so.
    is_put_off: bool,
}

impl Entry {
    fn new(wish: u64, now: Instant) -> Self {
        Self {
            wish,
            repairs: 0,
            last: now,
            until: now,
            is_put_off: false,
        }
    }

    fn is_forgotten(&self, now: Instant) -> bool {
        now >= self.last + QUIET.max((self.until - self.last) * 2)
    }

    fn rests(&self, desired: &Desired, now: Instant) -> bool {
        now < self.until && self.wish == wish(&desired.template)
    }
}

impl Repairs {
    /// Nothing was put right.
    pub fn new(now: Instant) -> Self {
        Self {
            entries: HashMap::new(),
            sweep_at: now + QUIET,
        }
    }

    /// Something has changed this object, so that the next time it is written is a repair.
    pub fn disturbed(&mut self, desired: &Desired, now: Instant) {
        let fresh = || Entry::new(wish(&desired.template), now);
        let entry = self
            .entries
            .entry(desired.key.clone())
            .or_insert_with(fresh);
        if entry.is_forgotten(now) {
            *entry = fresh();
        }
    }

    /// This object was written. It is a repair unless something else is wanted than before, and then the next
    /// time isn't delayed.
    pub fn wrote(&mut self, desired: &Desired, now: Instant) {
        let wish = wish(&desired.template);
        let known = self.entries.remove(&desired.key);
        let known = known.filter(|known| known.wish == wish && !known.is_forgotten(now));
        let repairs = known.map_or(0, |known| known.repairs.saturating_add(1));
        let pause = match repairs {
            0..AT_ONCE => Duration::ZERO,
            _ => PAUSE.delay(repairs - AT_ONCE + 1),
        };
        let entry = Entry {
            repairs,
            until: now + pause,
            ..Entry::new(wish, now)
        };
        self.entries.insert(desired.key.clone(), entry);
    }

    /// This object was seen in step: what was written has come to stay, unless it was so before.
    pub fn in_step(&mut self, key: &ObjectKey) {
        if self
            .entries
            .get(key)
            .is_some_and(|known| known.repairs == 0)
        {
            self.entries.remove(key);
        }
    }

    /// Until when this object is left alone, if it is: something else keeps changing it. A wish that is
    /// another one doesn't have to wait.
    pub fn rests(&self, desired: &Desired, now: Instant) -> Option<Instant> {
        let known = self.entries.get(&desired.key)?;
        known.rests(desired, now).then_some(known.until)
    }

    /// Notes that an object was changed once more and is left so; gives whether that is news.
    pub fn put_off(&mut self, key: &ObjectKey) -> bool {
        let known = self.entries.get_mut(key);
        known.is_some_and(|known| !std::mem::replace(&mut known.is_put_off, true))
    }

    /// Whether it was noted that this object is left as it was changed, and that still holds.
    pub fn is_put_off(&self, desired: &Desired, now: Instant) -> bool {
        let known = self.entries.get(&desired.key);
        known.is_some_and(|known| known.is_put_off && known.rests(desired, now))
    }

    /// Forgets an object: nobody wants it any more, or it is a new one in a place of its own.
    pub fn forget(&mut self, key: &ObjectKey) {
        self.entries.remove(key);
    }

    /// When something is to be forgotten.
    pub fn due(&self) -> Option<Instant> {
        (!self.entries.is_empty()).then_some(self.sweep_at)
    }

    /// Forgets what was quiet for long enough.
    pub fn sweep(&mut self, now: Instant) {
        if now < self.sweep_at {
            return;
        }
        self.sweep_at = now + QUIET;
        self.entries.retain(|_, known| !known.is_forgotten(now));
        self.entries.shrink_to_fit();
    }
}

/// All that an owner and an original say of an object, in a word: nothing of theirs is held for it.
fn wish(template: &Template) -> u64 {
    let mut hasher = DefaultHasher::new();
    let Template {
        owner,
        source,
        policies,
        ..
    } = template;
    (owner, source, policies).hash(&mut hasher);
    (template.hash(), template.carried_digest()).hash(&mut hasher);
    let reference = template.owner_reference();
    reference.map(|reference| &reference.uid).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
#[path = "repairs_tests.rs"]
mod tests;
