//! What lies before an owner after a run.

use jiff::Timestamp;

use crate::reconcile::{Desired, Owner};

/// How an owner fared in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turnout {
    /// All was done that there was to do.
    Good,
    /// All was done, but something new was to be expected that isn't there yet.
    Late,
    /// Something else has the place of its object, and may go away without our hearing of it.
    Conflict,
    /// It couldn't have what it asks for, and that isn't likely to change soon.
    Refused,
    /// Something failed that may succeed later; not before that moment, if there is one.
    Failed(Option<Timestamp>),
}

impl Turnout {
    /// The graver one of two.
    #[must_use]
    pub fn or_worse(self, other: Self) -> Self {
        let gravity = |one: &Self| match one {
            Self::Good => 0,
            Self::Late => 1,
            Self::Conflict => 2,
            Self::Refused => 3,
            Self::Failed(_) => 4,
        };
        if gravity(&other) > gravity(&self) {
            other
        } else {
            self
        }
    }

    /// Whether the owner hasn't got what it asks for.
    pub fn is_trouble(self) -> bool {
        matches!(self, Self::Conflict | Self::Refused | Self::Failed(_))
    }
}

/// What lies before an owner after a run.
#[derive(Clone)]
pub struct Prospect {
    /// The owner.
    pub owner: Owner,
    /// How it fared.
    pub turnout: Turnout,
    /// When it is due again, whatever happens.
    pub next: Option<Timestamp>,
    /// What it wants; none if that isn't known, because it wasn't due or can't have anything.
    pub desired: Option<Desired>,
}
