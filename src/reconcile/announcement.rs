//! What the cluster's own Events are to tell of owners and originals: gathered, so that a thousand copies are
//! one Event, and the more seldom the longer the same goes on.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    time::Duration,
};

use tokio::time::Instant;

use super::{Backoff, Conflict, Event, Name, Namespace, ObjectKey, Outcome, Owner};

/// What has happened, as an Event's reason says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// Copies of an original elsewhere were made or changed.
    Copied,
    /// What an owner publishes beside itself was made or changed.
    Published,
    /// Something else has an object's place.
    Conflict,
    /// An object couldn't be brought in step.
    Failed,
}

impl Reason {
    /// In one word, as Events have it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Copied => "Copied",
            Self::Published => "Published",
            Self::Conflict => "Conflict",
            Self::Failed => "Failed",
        }
    }

    /// Whether somebody should look at it.
    pub const fn is_warning(self) -> bool {
        matches!(self, Self::Conflict | Self::Failed)
    }

    fn of(outcome: &Outcome) -> Option<Self> {
        let event = &outcome.event;
        let owner = outcome.owner.as_ref();
        match event {
            Event::Created | Event::Configured(_) | Event::Replaced(_) => {
                let is_beside = owner.is_some_and(|owner| owner.kind.is_namespaced);
                Some(if is_beside {
                    Self::Published
                } else {
                    Self::Copied
                })
            }
            Event::Conflict(_) => Some(Self::Conflict),
            Event::Failed(_) if !event.is_interruption() => Some(Self::Failed),
            _ => None,
        }
    }
}

/// Something to be told of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    /// The object.
    pub regarding: ObjectKey,
    /// What has happened.
    pub reason: Reason,
    /// In words, without any value.
    pub note: String,
}

/// What has happened to the objects of an owner, or of an original, since it was last told.
#[derive(Default)]
struct Gathered {
    objects: BTreeSet<ObjectKey>,
    /// One word of each kind of trouble.
    words: BTreeSet<&'static str>,
}

/// When something was told, and how often in a row.
struct Told {
    at: Instant,
    times: u32,
}

/// How long nothing more is told of the same.
const SPACING: Backoff = Backoff {
    first: Duration::from_secs(30),
    longest: Duration::from_mins(10),
};

/// After this time without news the next one is told at once.
const FORGOTTEN: Duration = Duration::from_mins(30);

/// How long is waited at first for more of the same.
const GATHERING: Duration = Duration::from_secs(1);

/// How many names a note tells at most.
const NAMES: usize = 5;

type Subject = (ObjectKey, Reason);

/// Gathers what is to be told.
#[derive(Default)]
pub struct Announcer {
    pending: BTreeMap<Subject, (Instant, Gathered)>,
    told: BTreeMap<Subject, Told>,
}

impl Announcer {
    /// Takes in what became of an object.
    pub fn outcome(&mut self, outcome: &Outcome, now: Instant) {
        let Some(reason) = Reason::of(outcome) else {
            return;
        };
        let owner = outcome.owner.as_ref().and_then(Owner::object);
        let original = original(outcome).filter(|original| Some(original) != owner.as_ref());
        for subject in owner.into_iter().chain(original) {
            self.gather((subject, reason), outcome, now);
        }
    }

    fn gather(&mut self, subject: Subject, outcome: &Outcome, now: Instant) {
        let due = || {
            let told = self.told.get(&subject);
            told.map_or(now + GATHERING, |told| {
                (told.at + SPACING.delay(told.times)).max(now + GATHERING)
            })
        };
        let due = due();
        let (_, gathered) = self
            .pending
            .entry(subject)
            .or_insert_with(|| (due, Gathered::default()));
        gathered.objects.insert(outcome.key.clone());
        gathered.words.extend(outcome.event.reason());
    }

    /// When something is to be told.
    pub fn due(&self) -> Option<Instant> {
        self.pending.values().map(|(due, _)| *due).min()
    }

    /// When all of it will be due that is known by now.
    pub fn latest(&self) -> Instant {
        let dues = self.pending.values().map(|(due, _)| *due);
        dues.max().unwrap_or_else(Instant::now)
    }

    /// What is to be told by now.
    pub fn announcements(&mut self, now: Instant) -> Vec<Announcement> {
        self.told.retain(|_, told| now < told.at + FORGOTTEN);
        let due = self.pending.extract_if(.., |_, (due, _)| *due <= now);
        let due: Vec<_> = due.collect();
        due.into_iter()
            .map(|((regarding, reason), (_, gathered))| {
                let subject = (regarding.clone(), reason);
                let told = self
                    .told
                    .entry(subject)
                    .or_insert(Told { at: now, times: 0 });
                told.at = now;
                told.times += 1;
                Announcement {
                    note: gathered.note(reason),
                    regarding,
                    reason,
                }
            })
            .collect()
    }
}

/// The original that an object is made from: one of its own resource, elsewhere.
fn original(outcome: &Outcome) -> Option<ObjectKey> {
    let (namespace, name) = outcome.source.as_ref()?.split_once('/')?;
    let is_itself = outcome.key.path() == **outcome.source.as_ref()?;
    let owner = outcome.owner.as_ref()?;
    (!is_itself && !owner.kind.is_namespaced).then(|| {
        let namespace = Namespace::from(namespace);
        ObjectKey::namespaced(outcome.key.resource, namespace, Name::from(name))
    })
}

impl Gathered {
    fn note(&self, reason: Reason) -> String {
        let count = self.objects.len();
        let (objects, their, them) = match count {
            1 => ("1 object".to_owned(), "its", "it"),
            _ => (format!("{count} objects"), "their", "them"),
        };
        let mut note = match reason {
            Reason::Copied | Reason::Published => format!("made or changed {objects}: "),
            Reason::Conflict => {
                let is_rewritten = self.words.contains(Conflict::Rewritten.reason());
                let because = match (is_rewritten, self.words.len()) {
                    (false, _) => format!("is in {their} place"),
                    (true, 1) => format!("keeps changing {them}"),
                    (true, _) => format!("is in {their} place or keeps changing {them}"),
                };
                format!("left {objects} alone, because something else {because}: ")
            }
            Reason::Failed => format!("couldn't bring {objects} in step: "),
        };
        let shown: Vec<String> = self.objects.iter().take(NAMES).map(place).collect();
        note.push_str(&shown.join(", "));
        if count > NAMES {
            write!(note, " and {} more", count - NAMES).expect("a String takes all writes");
        }
        if reason.is_warning() && !self.words.is_empty() {
            let words: Vec<&str> = self.words.iter().copied().collect();
            write!(note, " ({})", words.join(", ")).expect("a String takes all writes");
        }
        note
    }
}

fn place(key: &ObjectKey) -> String {
    format!("{} {}", key.resource.singular, key.path())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reconcile::tests::world::{desired, key, owner};

    /// What is told of an owner with these conflicts.
    fn note(conflicts: &[Conflict]) -> String {
        let (mut announcer, now) = (Announcer::default(), Instant::now());
        for (number, conflict) in conflicts.iter().enumerate() {
            let key = key(&format!("team-{number}"), "regcred");
            let desired = desired(&key, &owner("rule"), "source/regcred", "x");
            let event = Event::Conflict(conflict.clone());
            announcer.outcome(&Outcome::of(key, Some(desired), None, event), now);
        }
        let mut told = announcer.announcements(now + GATHERING).into_iter();
        let of_owner = told.find(|one| one.regarding.namespace.is_none());
        of_owner.expect("the owner is in the cluster").note
    }

    #[test]
    fn conflicts_are_told_with_what_is_in_the_way() {
        let not_ours = || Conflict::NotOurs {
            managers: Vec::new(),
        };
        assert_eq!(
            note(&[not_ours()]),
            "left 1 object alone, because something else is in its place: secret team-0/regcred (NotOurs)"
        );
        assert_eq!(
            note(&[Conflict::Rewritten]),
            "left 1 object alone, because something else keeps changing it: secret team-0/regcred (Rewritten)"
        );
        assert_eq!(
            note(&[Conflict::Rewritten, not_ours()]),
            "left 2 objects alone, because something else is in their place or keeps changing them: \
             secret team-0/regcred, secret team-1/regcred (NotOurs, Rewritten)"
        );
    }
}
