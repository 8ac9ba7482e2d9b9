//! How often in a row an object is put right, and for how long it is left alone then.

use super::*;
use crate::reconcile::{
    Policies, PrunePolicy,
    tests::world::{desired, desired_by, key, owner},
};

const SECOND: Duration = Duration::from_secs(1);

fn wanted(namespace: &str, value: &str) -> Desired {
    let key = key(namespace, "regcred");
    desired(&key, &owner("rule"), "source/regcred", value)
}

/// Something changes the object, and it is put right at once.
fn repair(repairs: &mut Repairs, desired: &Desired, now: Instant) {
    repairs.disturbed(desired, now);
    repairs.wrote(desired, now);
    repairs.in_step(&desired.key);
}

/// An object that was put right as often as may be done at once.
fn fought_over(desired: &Desired, now: Instant) -> Repairs {
    let mut repairs = Repairs::new(now);
    for _ in 0..AT_ONCE {
        assert_eq!(repairs.rests(desired, now), None);
        repair(&mut repairs, desired, now);
    }
    repairs
}

#[test]
fn the_first_repairs_are_done_at_once_and_each_further_one_waits_longer() {
    let mut now = Instant::now();
    let wish = wanted("a", "x");
    let mut repairs = fought_over(&wish, now);
    let mut pauses = Vec::new();
    for _ in 0..12 {
        let until = repairs.rests(&wish, now).unwrap();
        pauses.push(until - now);
        assert_eq!(repairs.rests(&wish, until - SECOND / 10), Some(until));
        assert_eq!(repairs.rests(&wish, until), None);
        now = until;
        repair(&mut repairs, &wish, now);
    }
    for (pause, full) in pauses.iter().zip([2, 4, 8, 16, 32, 64, 128, 256, 300, 300]) {
        let full = full * SECOND;
        assert!(*pause >= full / 2 && *pause <= full, "{pauses:?}");
    }
}

#[test]
fn another_wish_does_not_wait_and_begins_to_count_anew() {
    let now = Instant::now();
    let wish = wanted("a", "x");
    let with_policies = |prune| {
        let policies = Policies {
            prune,
            ..Policies::default()
        };
        desired_by(policies, &wish.key, &owner("rule"), "source/regcred", "x")
    };
    let others = [
        wanted("a", "y"),
        desired(&wish.key, &owner("other"), "source/regcred", "x"),
        desired(&wish.key, &owner("rule"), "elsewhere/regcred", "x"),
        with_policies(PrunePolicy::Orphan),
    ];
    for other in others {
        let mut repairs = fought_over(&wish, now);
        assert_eq!(repairs.rests(&other, now), None);
        repairs.wrote(&other, now);
        for _ in 0..AT_ONCE {
            assert_eq!(repairs.rests(&other, now), None);
            repair(&mut repairs, &other, now);
        }
        assert!(repairs.rests(&other, now).is_some());
        assert_eq!(repairs.rests(&wish, now), None);
    }
    let same = with_policies(PrunePolicy::Delete);
    assert!(fought_over(&wish, now).rests(&same, now).is_some());
}

#[test]
fn no_other_object_waits() {
    let now = Instant::now();
    let repairs = fought_over(&wanted("a", "x"), now);
    assert_eq!(repairs.rests(&wanted("b", "x"), now), None);
}

#[test]
fn what_is_written_and_comes_to_stay_leaves_nothing_behind() {
    let now = Instant::now();
    let mut repairs = Repairs::new(now);
    for number in 0..1000 {
        let wish = wanted(&format!("team-{number}"), "x");
        repairs.wrote(&wish, now);
        repairs.in_step(&wish.key);
    }
    assert!(repairs.entries.is_empty());
    assert_eq!(repairs.due(), None);
}

#[test]
fn what_does_not_come_to_stay_is_a_repair_the_next_time() {
    let now = Instant::now();
    let wish = wanted("a", "x");
    let mut repairs = Repairs::new(now);
    for _ in 0..=AT_ONCE {
        assert_eq!(repairs.rests(&wish, now), None);
        repairs.wrote(&wish, now);
    }
    assert!(repairs.rests(&wish, now).is_some());
}

#[test]
fn what_is_quiet_for_a_while_is_forgotten() {
    let now = Instant::now();
    let wish = wanted("a", "x");
    let mut repairs = Repairs::new(now);
    for number in 0..10 * AT_ONCE {
        let now = now + number * QUIET;
        assert_eq!(repairs.rests(&wish, now), None);
        repair(&mut repairs, &wish, now);
    }
    let mut repairs = fought_over(&wish, now);
    let due = repairs.due().unwrap();
    repairs.sweep(due - SECOND);
    assert_eq!(repairs.entries.len(), 1);
    repairs.sweep(due);
    assert!(repairs.entries.is_empty());
}

#[test]
fn what_rests_for_long_is_remembered_for_longer() {
    let mut now = Instant::now();
    let wish = wanted("a", "x");
    let mut repairs = fought_over(&wish, now);
    for _ in 0..12 {
        now = repairs.rests(&wish, now).unwrap();
        repair(&mut repairs, &wish, now);
    }
    let pause = repairs.rests(&wish, now).unwrap() - now;
    assert!(pause > 2 * QUIET);
    repairs.sweep(now + pause + SECOND);
    repair(&mut repairs, &wish, now + pause + SECOND);
    assert!(repairs.rests(&wish, now + pause + SECOND).is_some());
    repairs.sweep(now + 3 * PAUSE.longest);
    assert!(repairs.entries.is_empty());
}

#[test]
fn it_is_news_once_for_each_rest_that_an_object_is_put_off() {
    let now = Instant::now();
    let wish = wanted("a", "x");
    let mut repairs = fought_over(&wish, now);
    assert!(!repairs.is_put_off(&wish, now));
    assert!(repairs.put_off(&wish.key));
    assert!(!repairs.put_off(&wish.key));
    assert!(repairs.is_put_off(&wish, now));
    assert!(!repairs.is_put_off(&wanted("a", "y"), now));
    let until = repairs.rests(&wish, now).unwrap();
    assert!(!repairs.is_put_off(&wish, until));
    repair(&mut repairs, &wish, until);
    assert!(!repairs.is_put_off(&wish, until));
    assert!(repairs.put_off(&wish.key));
}

#[test]
fn what_is_new_in_its_place_does_not_wait() {
    let now = Instant::now();
    let wish = wanted("a", "x");
    let mut repairs = fought_over(&wish, now);
    repairs.forget(&wish.key);
    assert_eq!(repairs.rests(&wish, now), None);
    assert!(!repairs.put_off(&wish.key));
}
