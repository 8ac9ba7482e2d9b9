//! Who is due, and who comes along.

use super::*;
use crate::reconcile::repeat::{
    entry::SETTLING,
    fixtures::{NOBODY, after, due, owner, run, seconds, start},
};

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
