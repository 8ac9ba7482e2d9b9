//! What a Lease says: who holds it, how long, and since when.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::{Identity, Timing};

/// A holder that leaves says that its lease lasts this long only: so does Kubernetes' own client.
const LEFT: Duration = Duration::from_secs(1);

/// The part of a Lease's `spec` that an election is about. Its times are the wall clock's of whoever wrote
/// them: they are for people to read, and nothing is decided by them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeaseRecord {
    /// Who holds it; none when nobody does.
    pub holder: Option<String>,
    /// How long others wait after the holder's last sign of life; in whole seconds.
    pub duration: Option<Duration>,
    /// When the holder got it.
    pub acquired: Option<Timestamp>,
    /// When the holder last gave a sign of life.
    pub renewed: Option<Timestamp>,
    /// How often the holder has changed.
    pub transitions: u32,
}

impl LeaseRecord {
    /// Whether this process holds it.
    pub fn is_held_by(&self, me: &Identity) -> bool {
        self.holder.as_deref() == Some(me.as_str())
    }

    /// Whether its last holder has stopped its work and left: nobody need wait.
    pub fn is_left(&self) -> bool {
        self.holder.is_none() && self.duration == Some(LEFT)
    }

    /// Whether nobody ever held it, as far as it says.
    pub fn was_never_held(&self) -> bool {
        *self == Self::default()
    }

    /// The record by which `me` makes a lease, or takes it after the one that was found.
    pub fn taken(me: &Identity, timing: &Timing, found: Option<&Self>, wall: Timestamp) -> Self {
        let transitions = match found {
            Some(found) if found.is_held_by(me) => found.transitions,
            Some(found) => found.transitions.saturating_add(1),
            None => 0,
        };
        Self {
            holder: Some(me.to_string()),
            duration: Some(timing.lease_in_seconds()),
            acquired: Some(wall),
            renewed: Some(wall),
            transitions,
        }
        .after(found)
    }

    /// The record by which `me`, which holds it, gives a sign of life, whatever somebody edited.
    #[must_use]
    pub fn renewed(&self, me: &Identity, timing: &Timing, wall: Timestamp) -> Self {
        Self {
            holder: Some(me.to_string()),
            duration: Some(timing.lease_in_seconds()),
            acquired: self.acquired.or(Some(wall)),
            renewed: Some(wall),
            transitions: self.transitions,
        }
        .after(Some(self))
    }

    /// The same, but not the same as before even if the clock stands still: a write that changes nothing is
    /// no write.
    fn after(mut self, before: Option<&Self>) -> Self {
        if before == Some(&self) {
            let later = self.renewed.map(|renewed| {
                renewed
                    .saturating_add(SignedDuration::from_micros(1))
                    .unwrap_or(renewed)
            });
            self.renewed = later;
        }
        self
    }

    /// The record by which its holder leaves.
    #[must_use]
    pub fn left(&self, wall: Timestamp) -> Self {
        Self {
            holder: None,
            duration: Some(LEFT),
            acquired: Some(wall),
            renewed: Some(wall),
            transitions: self.transitions,
        }
    }
}
