//! What waits to be looked at, object by object: the most urgent first, none twice, and each that failed
//! after a time of its own.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap, VecDeque},
    time::Duration,
};

use tokio::time::Instant;

use crate::reconcile::{Backoff, ObjectKey};

/// How urgent it is that an object is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Priority {
    /// One of many, such as all copies of an original that was changed.
    Bulk,
    /// Something happened to this very object.
    Single,
    /// Its namespace has just come into being, and somebody may be waiting for it there.
    Newcomer,
}

/// The most urgent first.
const BY_URGENCY: [Priority; 3] = [Priority::Newcomer, Priority::Single, Priority::Bulk];

/// How an object's turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing is left to be done, and nothing was written.
    InStep,
    /// It was written: what is known of it is old until the watch tells of that.
    Written,
    /// It couldn't be brought in step, and may be later.
    Failed,
    /// Nobody was there to ask: it has its turn again.
    Unreached,
    /// Something else has its place, and may go away without our hearing of it.
    Conflict,
    /// It is left alone until then, and has its turn again.
    Rests(Instant),
}

/// An object whose turn has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Which object.
    pub key: ObjectKey,
    /// When it was first asked for.
    pub since: Instant,
}

const FAILED: Backoff = Backoff {
    first: Duration::from_secs(1),
    longest: Duration::from_mins(5),
};
const CONFLICT: Backoff = Backoff {
    first: Duration::from_mins(1),
    longest: Duration::from_mins(30),
};

/// How long the echo of a write is waited for. It never comes where the write changed nothing, where a webhook
/// took our label off, or where the watch doesn't reach.
const ECHO: Duration = Duration::from_secs(30);

/// Objects that wait for their turn, have it, or are to be tried again.
#[derive(Default)]
pub struct Queue {
    entries: HashMap<ObjectKey, Entry>,
    /// Some of what is here has since become more urgent, or isn't waiting any more: `entries` knows.
    ready: HashMap<Priority, VecDeque<ObjectKey>>,
    delayed: BinaryHeap<Reverse<(Instant, ObjectKey)>>,
    waiting: usize,
}

struct Entry {
    state: State,
    since: Instant,
    failures: u32,
    /// How urgent the last turn was.
    priority: Priority,
    /// Whether it was asked for while it had its turn, or waited for its echo.
    again: Option<(Priority, Instant)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Ready(Priority),
    Delayed(Instant),
    Busy {
        echoed: bool,
    },
    /// What was written hasn't been heard of yet, and isn't waited for any longer than this.
    Echoing(Instant),
}

impl Queue {
    /// Asks for an object. One that failed is tried at once.
    pub fn add(&mut self, key: &ObjectKey, priority: Priority, now: Instant) {
        let Some(entry) = self.entries.get_mut(key) else {
            let entry = Entry {
                state: State::Ready(priority),
                since: now,
                failures: 0,
                priority,
                again: None,
            };
            self.entries.insert(key.clone(), entry);
            return self.push(key.clone(), priority);
        };
        match entry.state {
            State::Ready(known) if known >= priority => {}
            State::Ready(_) => {
                entry.state = State::Ready(priority);
                self.waiting -= 1;
                self.push(key.clone(), priority);
            }
            State::Delayed(_) => {
                entry.state = State::Ready(priority);
                entry.since = now;
                self.push(key.clone(), priority);
            }
            State::Busy { .. } | State::Echoing(_) => {
                let known = entry.again.get_or_insert((priority, now));
                known.0 = known.0.max(priority);
            }
        }
    }

    fn push(&mut self, key: ObjectKey, priority: Priority) {
        self.waiting += 1;
        self.ready.entry(priority).or_default().push_back(key);
    }

    /// Whether an object failed or rests, and waits to be tried again.
    pub fn is_delayed(&self, key: &ObjectKey) -> bool {
        let entry = self.entries.get(key);
        entry.is_some_and(|entry| matches!(entry.state, State::Delayed(_)))
    }

    /// Whether an object waits for its turn, or has it.
    pub fn is_in_work(&self, key: &ObjectKey) -> bool {
        let entry = self.entries.get(key);
        entry.is_some_and(|entry| matches!(entry.state, State::Ready(_) | State::Busy { .. }))
    }

    /// Whether an object has its turn just now.
    pub fn is_busy(&self, key: &ObjectKey) -> bool {
        let entry = self.entries.get(key);
        entry.is_some_and(|entry| matches!(entry.state, State::Busy { .. }))
    }

    /// Takes an object back: nothing is to be done about it any more. One that has its turn keeps it.
    pub fn remove(&mut self, key: &ObjectKey) {
        let Some(entry) = self.entries.get_mut(key) else {
            return;
        };
        match entry.state {
            State::Busy { .. } | State::Echoing(_) => entry.again = None,
            State::Ready(_) => {
                self.waiting -= 1;
                self.entries.remove(key);
            }
            State::Delayed(_) => {
                self.entries.remove(key);
            }
        }
    }

    /// The next object's turn, if there is one; it has it until [`Self::end`].
    pub fn next(&mut self, now: Instant) -> Option<Turn> {
        self.wake(now);
        BY_URGENCY.into_iter().find_map(|priority| {
            let ready = self.ready.get_mut(&priority)?;
            while let Some(key) = ready.pop_front() {
                let entry = self.entries.get_mut(&key);
                let entry = entry.filter(|entry| entry.state == State::Ready(priority));
                if let Some(entry) = entry {
                    entry.state = State::Busy { echoed: false };
                    entry.priority = priority;
                    self.waiting -= 1;
                    let since = entry.since;
                    return Some(Turn { key, since });
                }
            }
            None
        })
    }

    /// Makes those ready whose time has come.
    fn wake(&mut self, now: Instant) {
        while let Some(Reverse((due, _))) = self.delayed.peek()
            && *due <= now
        {
            let Some(Reverse((due, key))) = self.delayed.pop() else {
                return;
            };
            let Some(entry) = self.entries.get_mut(&key) else {
                continue;
            };
            if entry.state == State::Delayed(due) {
                entry.state = State::Ready(Priority::Bulk);
                entry.since = now;
                self.push(key, Priority::Bulk);
            } else if entry.state == State::Echoing(due) {
                self.finish(&key);
            }
        }
    }

    /// Ends an object's turn.
    pub fn end(&mut self, key: &ObjectKey, end: End, now: Instant) {
        let Some(entry) = self.entries.get_mut(key) else {
            return;
        };
        let echoed = matches!(entry.state, State::Busy { echoed: true });
        match end {
            End::Written if !echoed => {
                entry.failures = 0;
                let due = now + ECHO;
                entry.state = State::Echoing(due);
                self.delayed.push(Reverse((due, key.clone())));
            }
            End::Written | End::InStep => self.finish(key),
            End::Unreached => {
                let again = entry.again.take().map(|(priority, _)| priority);
                let priority = entry.priority.max(again.unwrap_or(Priority::Bulk));
                entry.state = State::Ready(priority);
                self.push(key.clone(), priority);
            }
            End::Failed | End::Conflict => {
                entry.failures += 1;
                let backoff = if end == End::Failed { FAILED } else { CONFLICT };
                let due = now + backoff.delay(entry.failures);
                self.delay(key, due);
            }
            End::Rests(until) => self.delay(key, until),
        }
    }

    fn delay(&mut self, key: &ObjectKey, due: Instant) {
        let Some(entry) = self.entries.get_mut(key) else {
            return;
        };
        entry.state = State::Delayed(due);
        self.delayed.push(Reverse((due, key.clone())));
        // What concerns it only as one of many is no reason to hurry.
        if let Some((priority, since)) = entry.again.take()
            && priority > Priority::Bulk
        {
            self.add(key, priority, since);
        }
    }

    /// The watch has told of a state of the object: what is known of it isn't old any more.
    pub fn echo(&mut self, key: &ObjectKey) {
        let state = self.entries.get_mut(key).map(|entry| &mut entry.state);
        match state {
            Some(State::Busy { echoed }) => *echoed = true,
            Some(State::Echoing(_)) => self.finish(key),
            Some(State::Ready(_) | State::Delayed(_)) | None => {}
        }
    }

    /// All objects were read anew.
    pub fn echo_all(&mut self) {
        let keys: Vec<_> = self.entries.keys().cloned().collect();
        for key in keys {
            self.echo(&key);
        }
    }

    /// Forgets an object, unless it was asked for again.
    fn finish(&mut self, key: &ObjectKey) {
        let Some(entry) = self.entries.remove(key) else {
            return;
        };
        if let Some((priority, since)) = entry.again {
            self.add(key, priority, since);
        }
    }

    /// When the next object that failed or rests has its turn again, or is waited for no longer.
    pub fn due(&self) -> Option<Instant> {
        let Reverse((due, _)) = self.delayed.peek()?;
        Some(*due)
    }

    /// How many objects wait for their turn.
    pub fn depth(&self) -> usize {
        self.waiting
    }

    /// The objects that wait for their turn.
    pub fn waiting(&self) -> impl Iterator<Item = &ObjectKey> {
        let waiting = |entry: &Entry| matches!(entry.state, State::Ready(_));
        let waiting = self.entries.iter().filter(move |(_, entry)| waiting(entry));
        waiting.map(|(key, _)| key)
    }

    /// Since when the object waits that has waited longest.
    pub fn oldest(&self) -> Option<Instant> {
        let fronts = self.ready.values().filter_map(VecDeque::front);
        fronts
            .filter_map(|key| Some(self.entries.get(key)?.since))
            .min()
    }
}

#[cfg(test)]
#[path = "queue_tests.rs"]
mod tests;
