//! When somebody is due, by the clocks and after failures.

use super::*;
use crate::reconcile::repeat::{
    fixtures::{NOBODY, after, at, due, owner, run, seconds, start},
    timetable::Timetable,
};

#[test]
fn a_moment_is_put_off_by_a_little_and_by_all_alike() {
    for (share, next, latest) in [
        (0.0, "2026-11-20T16:00:00Z", "2026-11-20T16:00:00Z"),
        (1.0, "2026-11-20T16:00:00Z", "2026-11-20T16:03:00Z"),
        (0.5, "2026-11-20T16:00:00Z", "2026-11-20T16:01:30Z"),
        // A twentieth of a minute.
        (1.0, "2026-11-20T10:01:00Z", "2026-11-20T10:01:03Z"),
    ] {
        let (mut timetable, now) = (Timetable::new(share), start());
        run(&mut timetable, "shop/a", Turnout::Good, Some(next), now);
        let wait = Duration::try_from(at(latest).duration_since(now.wall)).unwrap();
        let before = after(now, wait.saturating_sub(Duration::from_millis(1)));
        assert_eq!(due(&timetable, before), NOBODY, "{next} {share}");
        assert_eq!(
            due(&timetable, after(now, wait)),
            ["shop/a"],
            "{next} {share}"
        );
    }
}

#[test]
fn a_machine_that_slept_makes_up_for_it_once() {
    let (mut timetable, now) = (Timetable::new(0.0), start());
    run(
        &mut timetable,
        "shop/a",
        Turnout::Good,
        Some("2026-11-20T10:05:00Z"),
        now,
    );
    let awake = Moment {
        instant: now.instant + seconds(1),
        wall: at("2026-11-23T09:00:00Z"),
    };
    assert_eq!(due(&timetable, awake), ["shop/a"]);
    run(
        &mut timetable,
        "shop/a",
        Turnout::Good,
        Some("2026-11-23T09:05:00Z"),
        awake,
    );
    assert_eq!(due(&timetable, awake), NOBODY);
}

#[test]
fn the_wall_clock_is_looked_at_every_minute() {
    let (mut timetable, now) = (Timetable::new(1.0), start());
    run(
        &mut timetable,
        "shop/a",
        Turnout::Good,
        Some("2027-01-01T00:00:00Z"),
        now,
    );
    assert_eq!(timetable.next(now), Some(now.instant + GLANCE));
}

#[test]
fn what_was_reckoned_by_a_clock_that_was_wrong_is_reckoned_anew() {
    let (mut timetable, now) = (Timetable::new(1.0), start());
    run(
        &mut timetable,
        "shop/a",
        Turnout::Good,
        Some("2026-11-21T10:00:00Z"),
        now,
    );
    let set = |wall: &str| Moment {
        instant: now.instant + seconds(10),
        wall: at(wall),
    };
    assert_eq!(due(&timetable, set("2026-11-20T09:59:30Z")), NOBODY);
    assert_eq!(due(&timetable, set("2026-11-20T09:30:00Z")), ["shop/a"]);
}

#[test]
fn a_provider_that_has_news_all_the_time_is_not_asked_all_the_time() {
    let (mut timetable, now) = (Timetable::new(0.0), start());
    run(
        &mut timetable,
        "shop/a",
        Turnout::Good,
        Some("2026-11-20T10:00:00.001Z"),
        now,
    );
    assert_eq!(due(&timetable, after(now, seconds(4))), NOBODY);
    assert_eq!(due(&timetable, after(now, seconds(5))), ["shop/a"]);
}

#[test]
fn what_fails_is_tried_again_after_longer_and_longer_pauses() {
    let (mut timetable, mut now) = (Timetable::new(0.0), start());
    let mut pauses = Vec::new();
    for _ in 0..12 {
        run(&mut timetable, "shop/a", Turnout::Failed(None), None, now);
        let next = timetable.next(now).unwrap();
        assert_eq!(due(&timetable, now), NOBODY);
        pauses.push(next - now.instant);
        now = after(now, next - now.instant);
        assert_eq!(due(&timetable, now), ["shop/a"]);
    }
    for (pause, full) in pauses
        .iter()
        .zip([4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
    {
        assert!(
            *pause >= seconds(full) / 2 && *pause <= seconds(full),
            "{pauses:?}"
        );
    }
    run(&mut timetable, "shop/a", Turnout::Good, None, now);
    assert_eq!(timetable.next(now), None);
    run(&mut timetable, "shop/a", Turnout::Failed(None), None, now);
    assert!(
        timetable.next(now).unwrap() <= now.instant + seconds(4),
        "as at first"
    );
}

#[test]
fn a_provider_that_names_a_moment_is_not_asked_before() {
    let (mut timetable, now) = (Timetable::new(0.0), start());
    let until = Some(at("2026-11-20T12:00:00Z"));
    run(&mut timetable, "shop/a", Turnout::Failed(until), None, now);
    assert_eq!(due(&timetable, after(now, seconds(7199))), NOBODY);
    assert_eq!(due(&timetable, after(now, seconds(7200))), ["shop/a"]);
    let past = Some(at("2026-11-20T09:00:00Z"));
    run(&mut timetable, "shop/b", Turnout::Failed(past), None, now);
    assert!(timetable.next(now).unwrap() <= now.instant + seconds(4));
}

#[test]
fn a_provider_that_is_late_is_asked_again_before_its_next_time() {
    let (mut timetable, now) = (Timetable::new(0.0), start());
    run(
        &mut timetable,
        "shop/a",
        Turnout::Late,
        Some("2026-11-21T10:00:00Z"),
        now,
    );
    assert_eq!(due(&timetable, after(now, seconds(149))), NOBODY);
    assert_eq!(due(&timetable, after(now, seconds(300))), ["shop/a"]);
    assert_eq!(timetable.troubled(), 0, "nothing is wrong with it");
    assert_eq!(timetable.resting(now).len(), 1);
}

#[test]
fn damage_is_repaired_at_once_but_not_all_the_time() {
    let (mut timetable, mut now) = (Timetable::new(0.0), start());
    let mut pauses = Vec::new();
    for _ in 0..4 {
        timetable.repair(&owner("shop/a"), now.instant);
        let pause = timetable.next(now).unwrap() - now.instant;
        now = after(now, pause);
        assert_eq!(due(&timetable, now), ["shop/a"]);
        run(&mut timetable, "shop/a", Turnout::Good, None, now);
        pauses.push(pause);
    }
    assert_eq!(pauses[0], SETTLING);
    for (pause, full) in pauses[1..].iter().zip([2, 4, 8]) {
        let full = seconds(full) + SETTLING;
        assert!(*pause >= full / 2 && *pause <= full, "{pauses:?}");
    }
    now = after(now, CALM);
    timetable.repair(&owner("shop/a"), now.instant);
    assert_eq!(timetable.next(now), Some(now.instant + SETTLING));
}

#[test]
fn who_changes_their_wish_does_not_wait_for_a_repair() {
    let (mut timetable, now) = (Timetable::new(0.0), start());
    for _ in 0..2 {
        timetable.repair(&owner("shop/a"), now.instant);
        run(&mut timetable, "shop/a", Turnout::Good, None, now);
    }
    timetable.repair(&owner("shop/a"), now.instant);
    assert_eq!(due(&timetable, after(now, SETTLING)), NOBODY);
    timetable.ask(&owner("shop/a"), now.instant);
    assert_eq!(due(&timetable, after(now, SETTLING)), ["shop/a"]);
}
