//! What the tests of the timetable have in common.

use std::time::Duration;

use jiff::Timestamp;
use tokio::time::Instant;

use super::{Turnout, moment::Moment, timetable::Timetable};
use crate::reconcile::{Namespace, Owner, OwnerKind, SetName};

static KIND: OwnerKind = OwnerKind {
    resource: &crate::reconcile::CONFIG_MAPS,
    label: "example.dev/owner",
    noun: "owner",
    is_namespaced: true,
};

/// The moment at which all of these tests begin.
pub fn start() -> Moment {
    Moment {
        instant: Instant::now(),
        wall: at("2026-11-20T10:00:00Z"),
    }
}

/// A moment by the wall clock.
pub fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// So long after a moment, by both clocks.
pub fn after(moment: Moment, time: Duration) -> Moment {
    Moment {
        instant: moment.instant + time,
        wall: moment.wall.checked_add(time).unwrap(),
    }
}

/// So many seconds.
pub fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// An owner by its namespace and name.
pub fn owner(path: &str) -> Owner {
    let (namespace, name) = path.split_once('/').unwrap();
    Owner {
        kind: &KIND,
        set: SetName::cluster(),
        namespace: Some(Namespace::from(namespace)),
        name: name.into(),
    }
}

/// Who is due.
pub fn due(timetable: &Timetable, now: Moment) -> Vec<String> {
    timetable.due(now).iter().map(Owner::path).collect()
}

/// Begins and ends a run for one owner.
pub fn run(
    timetable: &mut Timetable,
    path: &str,
    turnout: Turnout,
    next: Option<&str>,
    now: Moment,
) {
    let owner = owner(path);
    timetable.begin(&[owner.clone()].into());
    timetable.settle(&owner, turnout, next.map(at), now);
}

/// Nobody is due.
pub const NOBODY: [&str; 0] = [];
