//! What a candidate has seen of a Lease, and what follows from it. Only the own monotonic clock counts:
//! whoever holds the Lease is taken to be alive for as long as its record promises, from the moment at
//! which the record was last seen to change.

use std::time::Duration;

use tokio::time::Instant;

use super::{Identity, LeaseRecord, Stored, Timing, timing::LONGEST_LEASE};

/// What a candidate has seen of a Lease.
#[derive(Clone, Debug, Default)]
pub struct Sight {
    looked: bool,
    found: Option<Stored>,
    /// Until when somebody else may rightly work, as far as is known.
    promised_until: Option<Instant>,
}

/// What a candidate does next.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// Somebody else may still work.
    WaitUntil(Instant),
    /// There is no Lease: make it.
    Create,
    /// Nobody works any more: take the Lease in this state.
    Take(Stored),
}

impl Sight {
    /// The sight of a process whose term is over, and that wrote this state last.
    pub fn of_former_leader(stored: Stored) -> Self {
        Self {
            looked: true,
            found: Some(stored),
            promised_until: None,
        }
    }

    /// The Lease was read or made, and this is what it is, at `now`: after the answer had come.
    pub fn note(&mut self, found: Option<Stored>, me: &Identity, timing: &Timing, now: Instant) {
        let is_first = !std::mem::replace(&mut self.looked, true);
        if let Some(stored) = &found
            && !self.knows(stored)
        {
            let record = &stored.record;
            if record.is_left() {
                self.promised_until = None;
            } else if !(is_first && record.was_never_held()) {
                self.promise(now + promised(record, me, timing));
            }
        }
        // What a deleted Lease promised is promised still.
        self.found = found;
    }

    /// What to do at `now`.
    pub fn next(&self, now: Instant) -> Next {
        match (self.promised_until, &self.found) {
            (Some(until), _) if now < until => Next::WaitUntil(until),
            (_, Some(stored)) => Next::Take(stored.clone()),
            (_, None) => Next::Create,
        }
    }

    /// The Lease as it was last found.
    pub fn found(&self) -> Option<&Stored> {
        self.found.as_ref()
    }

    /// Any write is a sign of life: the record's own times are those of a clock that may stand still.
    fn knows(&self, stored: &Stored) -> bool {
        self.found
            .as_ref()
            .is_some_and(|known| known.resource_version == stored.resource_version)
    }

    /// A later word doesn't take back what an earlier one promised.
    fn promise(&mut self, until: Instant) {
        self.promised_until = self.promised_until.max(Some(until));
    }
}

/// How long somebody may still work after a write whose cause isn't known.
fn promised(record: &LeaseRecord, me: &Identity, timing: &Timing) -> Duration {
    if record.is_held_by(me) {
        // This process made the Lease anew, or never learnt that it had taken it. A leader whose Lease was
        // deleted before works until its next renewal, or until its deadline.
        timing.renew_deadline()
    } else {
        // Where no holder is named, somebody removed it, and the holder works on for a while.
        let promised = record.duration.unwrap_or(timing.lease_duration());
        promised.min(LONGEST_LEASE)
    }
}
