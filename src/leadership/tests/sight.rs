//! What a candidate concludes from what it sees, without any cluster.

use std::time::Duration;

use jiff::Timestamp;
use tokio::time::Instant;

use super::{
    super::{Identity, LeaseRecord, Next, Sight, Stored},
    hall::timing,
};

/// A candidate that looks at a Lease at certain seconds.
struct Look {
    sight: Sight,
    begun: Instant,
}

fn me() -> Identity {
    Identity::from("me")
}

fn held_by(holder: &str, renewal: i64) -> Stored {
    Stored {
        record: LeaseRecord {
            holder: Some(holder.to_owned()),
            duration: Some(Duration::from_secs(15)),
            renewed: Timestamp::from_second(renewal).ok(),
            ..LeaseRecord::default()
        },
        resource_version: renewal.to_string().into(),
        ..Stored::default()
    }
}

fn vacant(duration: Option<u64>) -> Stored {
    let mut stored = held_by("", 0);
    stored.record.holder = None;
    stored.record.duration = duration.map(Duration::from_secs);
    stored
}

impl Look {
    fn new() -> Self {
        Self {
            sight: Sight::default(),
            begun: Instant::now(),
        }
    }

    fn sees(mut self, second: u64, found: Option<Stored>) -> Self {
        let now = self.begun + Duration::from_secs(second);
        self.sight.note(found, &me(), &timing(), now);
        self
    }

    /// Waits until this second, and no longer.
    fn waits_until(self, second: u64) -> Self {
        let until = self.begun + Duration::from_secs(second);
        let almost = until.checked_sub(Duration::from_millis(1)).unwrap();
        assert_eq!(self.sight.next(almost), Next::WaitUntil(until));
        assert!(!matches!(self.sight.next(until), Next::WaitUntil(_)));
        self
    }

    fn waits_for_nobody(self) -> Self {
        assert!(!matches!(self.sight.next(self.begun), Next::WaitUntil(_)));
        self
    }
}

#[test]
fn a_holder_is_given_its_time_from_when_its_record_was_seen_to_change() {
    Look::new()
        .sees(0, Some(held_by("other", 1)))
        .waits_until(15)
        .sees(8, Some(held_by("other", 1)))
        .waits_until(15)
        .sees(14, Some(held_by("other", 2)))
        .waits_until(29);
}

#[test]
fn any_write_may_be_a_sign_of_life() {
    let mut written = held_by("other", 1);
    written.resource_version = "99".into();
    Look::new()
        .sees(0, Some(held_by("other", 1)))
        .sees(9, Some(written))
        .waits_until(24);
}

#[test]
fn the_times_on_the_record_mean_nothing() {
    for renewed in ["1970-01-01T00:00:00Z", "2999-01-01T00:00:00Z"] {
        let mut stored = held_by("other", 1);
        stored.record.renewed = renewed.parse().ok();
        Look::new().sees(3, Some(stored)).waits_until(18);
    }
}

#[test]
fn a_holder_is_given_the_time_that_it_asked_for() {
    let mut longer = held_by("other", 1);
    longer.record.duration = Some(Duration::from_mins(1));
    let mut endless = held_by("other", 1);
    endless.record.duration = Some(Duration::from_hours(24 * 365));
    let mut silent = held_by("other", 1);
    silent.record.duration = None;
    Look::new().sees(0, Some(longer)).waits_until(60);
    Look::new().sees(0, Some(endless)).waits_until(3600);
    Look::new().sees(0, Some(silent)).waits_until(15);
}

#[test]
fn a_later_holder_does_not_shorten_what_an_earlier_one_was_promised() {
    let mut shorter = held_by("third", 2);
    shorter.record.duration = Some(Duration::from_secs(2));
    Look::new()
        .sees(0, Some(held_by("other", 1)))
        .sees(5, Some(shorter))
        .waits_until(15);
}

#[test]
fn a_holder_that_left_is_not_waited_for() {
    let left = Stored {
        record: held_by("other", 1).record.left(Timestamp::UNIX_EPOCH),
        ..Stored::default()
    };
    Look::new()
        .sees(0, Some(held_by("other", 1)))
        .sees(0, Some(left.clone()))
        .waits_for_nobody();
    Look::new().sees(0, Some(left)).waits_for_nobody();
}

#[test]
fn a_lease_that_was_never_held_is_taken_at_once() {
    let look = Look::new()
        .sees(0, Some(Stored::default()))
        .waits_for_nobody();
    assert_eq!(look.sight.next(look.begun), Next::Take(Stored::default()));
}

#[test]
fn a_deletion_or_an_edit_takes_no_promise_back() {
    Look::new()
        .sees(0, Some(held_by("other", 1)))
        .sees(1, None)
        .waits_until(15);
    let mut mine = held_by("me", 7);
    mine.record.duration = Some(Duration::from_secs(1));
    Look::new()
        .sees(0, Some(held_by("other", 1)))
        .sees(1, Some(mine))
        .waits_until(15);
}

#[test]
fn somebody_may_work_behind_an_edit() {
    for (edited, until) in [
        (vacant(Some(20)), 21),
        (vacant(None), 16),
        (held_by("me", 7), 11),
    ] {
        Look::new()
            .sees(0, None)
            .sees(1, Some(edited))
            .waits_until(until);
    }
    Look::new().sees(0, Some(vacant(Some(15)))).waits_until(15);
}

#[test]
fn whoever_makes_a_lease_waits_for_a_holder_that_may_be_there() {
    let look = Look::new().sees(0, None);
    assert_eq!(look.sight.next(look.begun), Next::Create);
    let look = look.sees(1, Some(held_by("me", 1))).waits_until(11);
    let later = look.begun + Duration::from_secs(11);
    assert_eq!(look.sight.next(later), Next::Take(held_by("me", 1)));
}

#[test]
fn whoever_knows_that_it_wrote_last_need_not_wait() {
    let now = Instant::now();
    let mut sight = Sight::of_former_leader(held_by("me", 1));
    sight.note(Some(held_by("me", 1)), &me(), &timing(), now);
    assert_eq!(sight.next(now), Next::Take(held_by("me", 1)));
}

#[test]
fn transitions_count_holders() {
    let wall = Timestamp::UNIX_EPOCH;
    let taken = |found: &Stored| LeaseRecord::taken(&me(), &timing(), Some(&found.record), wall);
    assert_eq!(taken(&held_by("me", 1)).transitions, 0);
    assert_eq!(taken(&held_by("other", 1)).transitions, 1);
}

#[test]
fn a_renewal_always_differs_from_the_one_before() {
    let wall = Timestamp::from_second(7).unwrap();
    let record = LeaseRecord::taken(&me(), &timing(), None, wall);
    assert_ne!(record.renewed(&me(), &timing(), wall), record);
}
