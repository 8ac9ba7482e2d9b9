//! What owners are told, and when.

use super::*;
use crate::reconcile::{
    ApiError, Failure, Policies, Severity, Verb, Why,
    tests::world::{desired, desired_by, key, owner},
};

const SECOND: Duration = Duration::from_secs(1);

fn outcome(owner_name: &str, namespace: &str, value: &str, event: Event) -> Outcome {
    let key = key(namespace, "regcred");
    let desired = desired(&key, &owner(owner_name), "source/regcred", value);
    Outcome::of(key, Some(desired), None, event)
}

fn failed() -> Event {
    let failure = Failure::Forbidden("no".to_owned());
    Event::Failed(ApiError::on(Verb::Create, &key("a", "regcred"), failure))
}

fn not_ours() -> Event {
    Event::Conflict(Conflict::NotOurs {
        managers: Vec::new(),
    })
}

fn contested() -> Event {
    Event::Conflict(Conflict::Contested {
        winner: owner("first"),
        source: "source/regcred".into(),
    })
}

/// The owners and the events that are told of.
fn told(account: &mut Account, now: Instant) -> Vec<(String, Event)> {
    let outcomes = account.settle(now).into_iter();
    let told = outcomes.map(|one| (one.owner.unwrap().name.to_string(), one.event));
    let mut told: Vec<_> = told.collect();
    told.sort_by_key(|(owner, event)| (owner.clone(), format!("{event:?}")));
    told
}

#[test]
fn what_is_wrong_is_told_until_it_is_well_and_what_was_written_once() {
    let now = Instant::now();
    let mut account = Account::new(now);
    account.note(&outcome("first", "a", "x", failed()), now);
    account.note(&outcome("first", "b", "x", Event::Created), now);
    let trouble = ("first".to_owned(), failed());
    let written = ("first".to_owned(), Event::Created);
    assert_eq!(told(&mut account, now), [written, trouble.clone()]);
    assert_eq!(told(&mut account, now), [trouble]);
    assert_eq!(account.troubled(), 1);
    let why = Event::Configured(Why::SourceChanged);
    account.note(&outcome("first", "a", "x", why.clone()), now);
    assert_eq!(told(&mut account, now), [("first".to_owned(), why)]);
    assert_eq!(told(&mut account, now), []);
    assert_eq!(account.troubled(), 0);
}

#[test]
fn who_does_not_get_an_object_is_told_so_whatever_becomes_of_it() {
    let now = Instant::now();
    let mut account = Account::new(now);
    let place = key("a", "regcred");
    let loser = outcome("second", "a", "y", contested());
    account.set_losers(&place, vec![loser.clone()], now);
    let told_so = ("second".to_owned(), contested());
    for event in [Event::Created, failed(), not_ours(), Event::Unchanged] {
        account.note(&outcome("first", "a", "x", event.clone()), now);
        let all = told(&mut account, now);
        assert!(all.contains(&told_so), "{event:?}: {all:?}");
    }
    account.set(&place, None, now);
    assert_eq!(told(&mut account, now), [told_so]);
    account.set_losers(&place, Vec::new(), now);
    assert_eq!(told(&mut account, now), []);
    assert_eq!(account.troubled(), 0);
}

#[test]
fn it_is_known_to_whom_something_is_told_of_an_object() {
    let now = Instant::now();
    let mut account = Account::new(now);
    let place = key("a", "regcred");
    let wish = |name, source| desired(&place, &owner(name), source, "x");
    let loser = Outcome::of(
        place.clone(),
        Some(wish("second", "source/regcred")),
        None,
        contested(),
    );
    account.set_losers(&place, vec![loser], now);
    assert!(account.is_told_of(&wish("second", "source/regcred")));
    assert!(!account.is_told_of(&wish("first", "source/regcred")));
    assert!(!account.is_told_of(&wish("second", "elsewhere/regcred")));
    account.note(&outcome("first", "a", "x", failed()), now);
    assert!(account.is_told_of(&wish("first", "source/regcred")));
}

#[test]
fn what_is_known_is_no_news() {
    let now = Instant::now();
    let mut account = Account::new(now);
    let place = key("a", "regcred");
    let conflict = || Some(outcome("first", "a", "x", not_ours()));
    let losers = || vec![outcome("second", "a", "y", contested())];
    account.set(&place, None, now);
    account.set_losers(&place, Vec::new(), now);
    assert_eq!(account.due(true), None, "nothing was wrong before either");
    account.set(&place, conflict(), now);
    account.set_losers(&place, losers(), now);
    assert!(account.due(true).is_some());
    account.settle(now);
    account.set(&place, conflict(), now);
    account.set_losers(&place, losers(), now);
    assert_eq!(account.due(true), None);
    let other = Some(outcome("first", "a", "x", failed()));
    account.set(&place, other, now);
    assert!(account.due(true).is_some());
}

#[test]
fn owners_are_told_when_nothing_is_left_to_do_and_else_once_in_a_while() {
    let now = Instant::now();
    let mut account = Account::new(now);
    assert_eq!((account.due(true), account.due(false)), (None, None));
    account.touch(now);
    account.touch(now + 5 * SECOND);
    assert_eq!(account.due(true), Some(now));
    assert_eq!(account.due(false), Some(now + LONGEST_DELAY));
    account.settle(now + 5 * SECOND);
    account.touch(now + 5 * SECOND);
    assert_eq!(account.due(true), Some(now + 5 * SECOND + SPACING));
}

#[test]
fn what_could_not_be_told_is_tried_ever_later() {
    let mut now = Instant::now();
    let mut account = Account::new(now);
    let mut pauses = Vec::new();
    for _ in 0..10 {
        account.touch(now);
        account.settle(now);
        account.postpone(now);
        let due = account.due(true).unwrap();
        pauses.push(due - now);
        now = due;
    }
    assert!(pauses[0] <= LONGEST_DELAY && pauses[0] >= LONGEST_DELAY / 2);
    assert!(pauses[5] > 100 * SECOND && pauses[9] <= REFUSED.longest);
    account.is_told();
    account.postpone(now);
    assert!(account.due(true).unwrap() <= now + LONGEST_DELAY);
}

#[test]
fn only_another_wish_is_worth_another_attempt() {
    let now = Instant::now();
    let mut account = Account::new(now);
    let place = key("a", "regcred");
    let wish = |value| desired(&place, &owner("first"), "source/regcred", value);
    assert!(
        !account.is_tried(&place, Some(&wish("x"))),
        "nothing was tried"
    );
    account.note(&outcome("first", "a", "x", failed()), now);
    assert!(account.is_tried(&place, Some(&wish("x"))));
    assert!(!account.is_tried(&place, Some(&wish("y"))));
    assert!(!account.is_tried(&place, None));
    let others = desired(&place, &owner("second"), "source/regcred", "x");
    assert!(!account.is_tried(&place, Some(&others)));
    assert!(!account.is_tried(&key("b", "regcred"), Some(&wish("x"))));
}

#[test]
fn what_is_somebody_elses_is_left_alone_whatever_is_wanted_unless_it_may_be_taken_over() {
    let now = Instant::now();
    let place = key("a", "regcred");
    for (conflict, is_hopeless) in [
        (ConflictPolicy::Skip, true),
        (ConflictPolicy::Adopt, false),
        (ConflictPolicy::Overwrite, false),
    ] {
        let policies = Policies {
            conflict,
            ..Policies::default()
        };
        let wish = |value| desired_by(policies, &place, &owner("first"), "source/regcred", value);
        let mut account = Account::new(now);
        let refused = Outcome::of(place.clone(), Some(wish("x")), None, not_ours());
        account.note(&refused, now);
        assert_eq!(account.is_tried(&place, Some(&wish("y"))), is_hopeless);
        assert!(account.is_tried(&place, Some(&wish("x"))));
        let gentler = desired(&place, &owner("first"), "source/regcred", "x");
        let is_same = conflict == ConflictPolicy::Skip;
        assert_eq!(account.is_tried(&place, Some(&gentler)), is_same);
    }
}

#[test]
fn troubles_are_found_by_namespace() {
    let now = Instant::now();
    let mut account = Account::new(now);
    for namespace in ["a", "b"] {
        account.note(&outcome("first", namespace, "x", failed()), now);
    }
    let found: Vec<_> = account.troubled_in(&Namespace::from("a")).collect();
    assert_eq!(found, [&key("a", "regcred")]);
    assert_eq!(account.troubled_keys().count(), 2);
}

#[test]
fn a_finding_is_told_once_as_long_as_it_lasts() {
    let finding = |message: &str| Finding {
        severity: Severity::Warning,
        owner: None,
        message: message.to_owned(),
        cause: None,
    };
    let mut account = Account::new(Instant::now());
    let mut untold = |messages: &[&str]| {
        let findings = messages.iter().map(|message| finding(message)).collect();
        let untold = account.untold(findings).into_iter();
        untold.map(|finding| finding.message).collect::<Vec<_>>()
    };
    assert_eq!(untold(&["a", "b"]), ["a", "b"]);
    assert_eq!(untold(&["b", "a", "c"]), ["c"]);
    assert_eq!(untold(&["b"]), [""; 0]);
    assert_eq!(untold(&["a", "b"]), ["a"], "it is back");
}
