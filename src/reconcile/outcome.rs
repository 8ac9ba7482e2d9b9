//! What became of each object in a run, told as it happens.

use std::sync::Arc;

use super::{ApiError, Desired, Failure, MissingPermissions, ObjectKey, Owner};

/// What became of one object.
#[derive(Clone)]
pub struct Outcome {
    /// The object.
    pub key: ObjectKey,
    /// Who wants it, or wanted it before it was pruned.
    pub owner: Option<Owner>,
    /// Where its content comes from, as `namespace/name` of the original.
    pub source: Option<Arc<str>>,
    /// What happened.
    pub event: Event,
    /// What was wanted; none for an object that was pruned.
    pub desired: Option<Desired>,
}

/// What happened to one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// It was made.
    Created,
    /// It was changed.
    Configured(Why),
    /// It was read because its metadata left doubt, and is as it should be.
    Unchanged,
    /// It was deleted, because nobody wants it any more.
    Pruned,
    /// Nothing was to be done after all, and nothing is wrong.
    Skipped(Skip),
    /// Something that is not ours, or another owner's, has its place.
    Conflict(Conflict),
    /// It couldn't be brought in step.
    Failed(ApiError),
}

impl Event {
    /// Whether the run was stopped before the object was come to.
    pub fn is_interruption(&self) -> bool {
        matches!(
            self,
            Self::Failed(ApiError {
                failure: Failure::Interrupted,
                ..
            })
        )
    }
}

/// Why an object was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Why {
    /// What it is made from has changed.
    SourceChanged,
    /// Somebody changed what we wrote.
    Drifted,
    /// The content is right; a mark was missing or wrong.
    MarksChanged,
    /// Its former owner doesn't want it any more, another one does.
    HandedOver,
}

/// Why nothing was to be done after all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Skip {
    /// The namespace is being deleted or gone.
    NamespaceGone,
    /// The object was to be pruned, and is gone already or not ours any more.
    NoLongerOurs,
    /// The object is being deleted and waits for its finalizers: the next run makes it anew.
    BeingDeleted,
}

/// Why an object was left alone.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Conflict {
    /// An object that isn't ours has the name.
    NotOurs {
        /// The field managers that own it, sorted.
        managers: Vec<String>,
    },
    /// It belongs to another owner that still wants it, or that this run doesn't know.
    HeldBy(Owner),
    /// Another owner, or another original of the same owner, wants the same object and comes first.
    Contested {
        /// The owner that comes first.
        winner: Owner,
        /// The original that comes first, as `namespace/name`.
        source: Arc<str>,
    },
}

/// How many objects met which end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Objects made.
    pub created: usize,
    /// Objects changed.
    pub configured: usize,
    /// Objects that were in step, whether they were read or not.
    pub unchanged: usize,
    /// Objects deleted.
    pub pruned: usize,
    /// Objects with nothing to be done and nothing wrong.
    pub skipped: usize,
    /// Objects left alone because they are somebody else's.
    pub conflicts: usize,
    /// Objects that couldn't be brought in step.
    pub failed: usize,
}

impl Tally {
    /// Counts one more event.
    pub fn count(&mut self, event: &Event) {
        *match event {
            Event::Created => &mut self.created,
            Event::Configured(_) => &mut self.configured,
            Event::Unchanged => &mut self.unchanged,
            Event::Pruned => &mut self.pruned,
            Event::Skipped(_) => &mut self.skipped,
            Event::Conflict(_) => &mut self.conflicts,
            Event::Failed(_) => &mut self.failed,
        } += 1;
    }
}

/// Hears what a run does, while it does it.
pub trait Reporter {
    /// The plan is made: so many steps follow, and so many objects need none.
    fn planned(&mut self, steps: usize, in_step: usize);
    /// The plan needs what the user may not do; nothing has been written yet. The steps that would
    /// be refused fail without being attempted.
    fn missing_permissions(&mut self, _missing: MissingPermissions) {}
    /// One object has met its end.
    fn outcome(&mut self, outcome: Outcome);
    /// Something that a person should know and that is not about one object.
    fn finding(&mut self, finding: Finding);
}

/// Something about an owner, or about the run, that is not about one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Whether it makes the run a failure.
    pub severity: Severity,
    /// The owner that it is about, if it is about one.
    pub owner: Option<Owner>,
    /// What was found and what to do about it.
    pub message: String,
    /// The request that failed, if that is what was found.
    pub cause: Option<ApiError>,
}

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The run goes on and may succeed.
    Warning,
    /// The run goes on, and fails in the end.
    Error,
}
