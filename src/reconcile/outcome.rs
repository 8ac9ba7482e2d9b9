//! What became of each object in a run, told as it happens.

use std::sync::Arc;

use super::{ApiError, Desired, Failure, MissingPermissions, ObjectKey, Observed, Owner};

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

impl Outcome {
    /// What became of the object with this key.
    pub fn of(
        key: ObjectKey,
        desired: Option<Desired>,
        observed: Option<&Observed>,
        event: Event,
    ) -> Self {
        let source = match &desired {
            Some(desired) => Some(desired.template.source.clone()),
            None => observed.and_then(|observed| observed.marks.source.clone()),
        };
        Self {
            key,
            owner: owner(desired.as_ref(), observed),
            source,
            event,
            desired,
        }
    }
}

/// Who wants an object, or wanted it.
pub(super) fn owner(desired: Option<&Desired>, observed: Option<&Observed>) -> Option<Owner> {
    match desired {
        Some(desired) => Some(desired.template.owner.clone()),
        None => observed.and_then(|observed| observed.marks.owner.clone()),
    }
}

/// What happened to one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// It was made.
    Created,
    /// It was changed.
    Configured(Why),
    /// It was deleted and made anew, because the API server doesn't let it be changed.
    Replaced(Why),
    /// It was read because its metadata left doubt, and is as it should be.
    Unchanged,
    /// It was deleted, because nobody wants it any more.
    Pruned,
    /// Nobody wants it any more, and it was marked as one that stays.
    Orphaned,
    /// It was taken over once, nobody wants it any more, and our marks were taken off it.
    Released,
    /// Nothing was to be done after all, and nothing is wrong.
    Skipped(Skip),
    /// Something that is not ours, or another owner's, has its place.
    Conflict(Conflict),
    /// It couldn't be brought in step.
    Failed(ApiError),
}

impl Event {
    /// Why it happened, in one word for programs; none where that goes without saying.
    pub fn reason(&self) -> Option<&'static str> {
        match self {
            Self::Created | Self::Unchanged | Self::Pruned | Self::Orphaned | Self::Released => {
                None
            }
            Self::Configured(why) | Self::Replaced(why) => Some(why.reason()),
            Self::Skipped(skip) => Some(skip.reason()),
            Self::Conflict(conflict) => Some(conflict.reason()),
            Self::Failed(error) => Some(error.failure.word()),
        }
    }

    /// Whether the run was stopped before the object was come to.
    pub fn is_interruption(&self) -> bool {
        matches!(
            self,
            Self::Failed(ApiError {
                failure: Failure::Interrupted | Failure::LeadershipLost,
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
    /// What it takes over of its original's labels and annotations has changed, or was changed.
    MetadataChanged,
    /// Its former owner doesn't want it any more, another one does.
    HandedOver,
    /// It wasn't ours, held what is wanted, and was taken over.
    Adopted,
    /// It wasn't ours, was taken over, and its content replaced.
    Overwritten,
}

impl Why {
    /// In one word for programs.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::SourceChanged => "SourceChanged",
            Self::Drifted => "Drifted",
            Self::MarksChanged => "MarksChanged",
            Self::MetadataChanged => "MetadataChanged",
            Self::HandedOver => "HandedOver",
            Self::Adopted => "Adopted",
            Self::Overwritten => "Overwritten",
        }
    }
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
    /// It isn't its turn yet: a watch tells how far it has come before it is there.
    Waiting,
}

impl Skip {
    /// In one word for programs.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::NamespaceGone => "NamespaceGone",
            Self::NoLongerOurs => "NoLongerOurs",
            Self::BeingDeleted => "BeingDeleted",
            Self::Waiting => "Waiting",
        }
    }
}

/// Why an object was left alone.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Conflict {
    /// An object that isn't ours has the name.
    NotOurs {
        /// The field managers that own it, sorted.
        managers: Vec<String>,
    },
    /// An object that isn't ours has the name. It would be taken over if it held what is wanted.
    Different {
        /// The field managers that own it, sorted.
        managers: Vec<String>,
    },
    /// An object that isn't ours has the name. It would be taken over, but it is immutable or of another
    /// type, so that it would have to be deleted.
    Unchangeable {
        /// The field managers that own it, sorted.
        managers: Vec<String>,
    },
    /// It was taken over, and now it can't be changed any more: it is immutable or of another type, so
    /// that it would have to be deleted.
    AdoptedUnchangeable,
    /// Its former owner doesn't want it any more, and left it to stay (`prunePolicy: Orphan`).
    LeftBy(Owner),
    /// It belongs to another owner that still wants it, or that this run doesn't know.
    HeldBy(Owner),
    /// Another owner, or another original of the same owner, wants the same object and comes first.
    Contested {
        /// The owner that comes first.
        winner: Owner,
        /// The original that comes first, as `namespace/name`.
        source: Arc<str>,
    },
    /// It was put right several times in a row, and something else changed it each time: the next time has to
    /// wait.
    Rewritten,
}

impl Conflict {
    /// In one word for programs.
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::NotOurs { .. } => "NotOurs",
            Self::Different { .. } => "Different",
            Self::Unchangeable { .. } => "Unchangeable",
            Self::AdoptedUnchangeable => "AdoptedUnchangeable",
            Self::LeftBy(_) => "LeftByAnother",
            Self::HeldBy(_) => "HeldByAnother",
            Self::Contested { .. } => "Contested",
            Self::Rewritten => "Rewritten",
        }
    }

    /// The field managers of an object that isn't ours.
    pub fn managers(&self) -> Option<&[String]> {
        match self {
            Self::NotOurs { managers }
            | Self::Different { managers }
            | Self::Unchangeable { managers } => Some(managers),
            Self::AdoptedUnchangeable
            | Self::LeftBy(_)
            | Self::HeldBy(_)
            | Self::Contested { .. }
            | Self::Rewritten => None,
        }
    }
}

/// How many objects met which end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Objects made.
    pub created: usize,
    /// Objects changed.
    pub configured: usize,
    /// Objects deleted and made anew.
    pub replaced: usize,
    /// Objects that were in step, whether they were read or not.
    pub unchanged: usize,
    /// Objects deleted.
    pub pruned: usize,
    /// Objects that were marked as ones that stay.
    pub orphaned: usize,
    /// Objects that our marks were taken off.
    pub released: usize,
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
            Event::Replaced(_) => &mut self.replaced,
            Event::Unchanged => &mut self.unchanged,
            Event::Pruned => &mut self.pruned,
            Event::Orphaned => &mut self.orphaned,
            Event::Released => &mut self.released,
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
