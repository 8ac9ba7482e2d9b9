use super::*;
use crate::reconcile::{Namespace, OwnerKind, SetName};

static KIND: OwnerKind = OwnerKind {
    resource: &crate::reconcile::CONFIG_MAPS,
    label: "example.dev/owner",
    noun: "owner",
    is_namespaced: true,
};

/// The moment at which all of these tests begin.
fn start() -> Moment {
    Moment {
        instant: Instant::now(),
        wall: at("2026-11-20T10:00:00Z"),
    }
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// So long after a moment, by both clocks.
fn after(moment: Moment, time: Duration) -> Moment {
    Moment {
        instant: moment.instant + time,
        wall: moment.wall.checked_add(time).unwrap(),
    }
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn owner(path: &str) -> Owner {
    let (namespace, name) = path.split_once('/').unwrap();
    Owner {
        kind: &KIND,
        set: SetName::cluster(),
        namespace: Some(Namespace::from(namespace)),
        name: name.into(),
    }
}

fn due(timetable: &Timetable, now: Moment) -> Vec<String> {
    timetable.due(now).iter().map(Owner::path).collect()
}

/// Begins and ends a run for one owner.
fn run(timetable: &mut Timetable, path: &str, turnout: Turnout, next: Option<&str>, now: Moment) {
    let owner = owner(path);
    timetable.begin(&[owner.clone()].into());
    timetable.settle(&owner, turnout, next.map(at), now);
}

const NOBODY: [&str; 0] = [];

#[test]
fn who_is_asked_for_is_due_as_soon_as_things_have_settled() {
    let (mut timetable, now) = (Timetable::new(1.0), start());
    timetable.admit(&owner("shop/idle"));
    assert_eq!(due(&timetable, now), NOBODY);
    assert_eq!(timetable.next(now), None);
    timetable.ask(&owner("shop/a"), now.instant);
    assert_eq!(due(&timetable, now), NOBODY);
    let soon = after(now, SETTLING);
    assert_eq!(timetable.next(now), Some(soon.instant));
    timetable.ask(&owner("shop/b"), after(now, SETTLING / 2).instant);
    assert_eq!(due(&timetable, soon), ["shop/a", "shop/b"], "both at once");
    assert_eq!(timetable.waiting(), (2, Some(now.instant)));
}

#[test]
fn who_is_asked_for_again_and_again_still_gets_their_turn() {
    let (mut timetable, now) = (Timetable::new(1.0), start());
    for step in 0..4 {
        let moment = after(now, SETTLING / 4 * step);
        timetable.ask(&owner("shop/a"), moment.instant);
    }
    assert_eq!(due(&timetable, after(now, SETTLING)), ["shop/a"]);
}

#[test]
fn nobody_has_two_turns_at_once() {
    let (mut timetable, now) = (Timetable::new(1.0), start());
    let (one, later) = (owner("shop/a"), after(now, seconds(1)));
    timetable.ask(&one, now.instant);
    let since = timetable.begin(&timetable.due(later));
    assert_eq!(since[&one], now.instant);
    assert!(timetable.is_busy(&one) && due(&timetable, later) == NOBODY);
    timetable.ask(&one, later.instant);
    let end = after(now, seconds(2));
    assert_eq!(due(&timetable, end), NOBODY);
    assert_eq!(timetable.next(end), None);
    timetable.settle(&one, Turnout::Good, None, end);
    assert_eq!(
        due(&timetable, end),
        ["shop/a"],
        "it was asked for meanwhile"
    );
}

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
fn who_could_go_by_themselves_comes_along() {
    let (mut timetable, now) = (Timetable::new(1.0), start());
    run(
        &mut timetable,
        "shop/a",
        Turnout::Good,
        Some("2026-11-20T10:10:00Z"),
        now,
    );
    let later = after(now, seconds(300));
    run(
        &mut timetable,
        "shop/b",
        Turnout::Good,
        Some("2026-11-20T10:10:00Z"),
        later,
    );
    run(
        &mut timetable,
        "shop/c",
        Turnout::Good,
        Some("2026-11-20T10:11:00Z"),
        later,
    );
    // That of b is put off by half as much.
    let first = after(now, seconds(10 * 60 + 15));
    assert_eq!(due(&timetable, first), ["shop/a", "shop/b"]);
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
fn those_that_failed_together_are_tried_again_together() {
    let (mut timetable, now) = (Timetable::new(0.0), start());
    let paths: Vec<String> = (0..20).map(|number| format!("shop/{number:02}")).collect();
    for path in &paths {
        run(&mut timetable, path, Turnout::Failed(None), None, now);
    }
    let next = timetable.next(now).unwrap();
    let then = after(now, next - now.instant);
    assert_eq!(due(&timetable, then), paths);
}

#[test]
fn one_that_fails_keeps_nobody_waiting() {
    let (mut timetable, now) = (Timetable::new(0.0), start());
    run(&mut timetable, "shop/a", Turnout::Failed(None), None, now);
    timetable.ask(&owner("shop/b"), now.instant);
    assert_eq!(due(&timetable, after(now, SETTLING)), ["shop/b"]);
    timetable.ask(&owner("shop/a"), now.instant);
    let both = due(&timetable, after(now, SETTLING));
    assert_eq!(both, ["shop/a", "shop/b"], "what it asks for has changed");
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
fn a_conflict_is_looked_at_again_when_something_beside_it_changes() {
    let (mut timetable, now) = (Timetable::new(0.0), start());
    run(&mut timetable, "shop/a", Turnout::Conflict, None, now);
    run(&mut timetable, "bank/a", Turnout::Conflict, None, now);
    run(&mut timetable, "shop/good", Turnout::Good, None, now);
    assert_eq!(timetable.troubled(), 2);
    timetable.ask_conflicts_beside(&owner("shop/new"), now.instant);
    assert_eq!(due(&timetable, after(now, SETTLING)), ["shop/a"]);
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

#[test]
fn a_run_that_came_to_nothing_leaves_all_as_it_was() {
    let (mut timetable, now) = (Timetable::new(0.0), start());
    timetable.ask(&owner("shop/a"), now.instant);
    let owners = timetable.due(after(now, SETTLING));
    let since = timetable.begin(&owners);
    timetable.give_back(&owners, &since, now.instant + seconds(9));
    assert_eq!(due(&timetable, after(now, seconds(9))), ["shop/a"]);
    assert_eq!(timetable.waiting(), (1, Some(now.instant)));
}

#[test]
fn in_a_full_run_those_rest_that_are_well_and_those_that_have_their_turn() {
    let (mut timetable, now) = (Timetable::new(0.0), start());
    for (name, turnout) in [
        ("good", Turnout::Good),
        ("refused", Turnout::Refused),
        ("asked", Turnout::Good),
        ("over", Turnout::Good),
    ] {
        let next = if name == "over" {
            "2026-11-20T10:00:10Z"
        } else {
            "2026-11-20T16:00:00Z"
        };
        run(
            &mut timetable,
            &format!("shop/{name}"),
            turnout,
            Some(next),
            now,
        );
    }
    timetable.admit(&owner("shop/new"));
    timetable.ask(&owner("shop/asked"), now.instant);
    timetable.begin(&[owner("shop/busy")].into());
    let later = after(now, seconds(20));
    let resting = timetable.resting(later);
    let paths = |owners: &BTreeSet<Owner>| owners.iter().map(Owner::path).collect::<Vec<_>>();
    assert_eq!(paths(&resting), ["shop/busy", "shop/good"]);
    let others = ["shop/asked", "shop/new", "shop/over", "shop/refused"];
    assert_eq!(paths(&timetable.others(&resting)), others);
}

#[test]
fn who_is_gone_is_forgotten_unless_they_are_back() {
    let (mut timetable, now) = (Timetable::new(0.0), start());
    let one = owner("shop/a");
    timetable.begin(&[one.clone()].into());
    timetable.ask(&one, now.instant);
    assert!(!timetable.dismiss(&one), "asked for meanwhile");
    timetable.begin(&[one.clone()].into());
    assert!(timetable.dismiss(&one));
    timetable.forget(&one);
    assert!(!timetable.knows(&one));
    timetable.admit(&owner("shop/b"));
    timetable.ask(&owner("shop/c"), now.instant);
    timetable.admit(&owner("shop/d"));
    let strangers = timetable.strangers(|known| *known == owner("shop/d"));
    assert_eq!(strangers, [owner("shop/b")]);
}
