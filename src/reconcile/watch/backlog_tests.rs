//! What is asked of the queue, and told of an object, for what is judged of it.

use super::*;
use crate::reconcile::{
    Why,
    tests::world::{desired, key, owner},
    watch::queue::End,
};

fn judged(desired: &Desired, decision: Decision) -> Judgement {
    Judgement {
        desired: Some(desired.clone()),
        rivals: Vec::new(),
        decision,
        losers: Vec::new(),
    }
}

fn wanted(value: &str) -> Desired {
    let key = key("a", "regcred");
    desired(&key, &owner("rule"), "source/regcred", value)
}

/// A backlog in which an object was put right too often, is changed once more, and rests.
fn fought_over(wish: &Desired, now: Instant) -> (Backlog, Instant) {
    let mut backlog = Backlog::new(now);
    for _ in 0..6 {
        backlog.repairs.wrote(wish, now);
    }
    let until = backlog.repairs.rests(wish, now).unwrap();
    assert!(backlog.repairs.put_off(&wish.key));
    let event = Event::Conflict(Conflict::Rewritten);
    let told = Outcome::of(wish.key.clone(), Some(wish.clone()), None, event);
    backlog.account.set(&wish.key, Some(told), now);
    backlog.queue.add(&wish.key, Priority::Single, now);
    backlog.queue.next(now).unwrap();
    backlog.queue.end(&wish.key, End::Rests(until), now);
    (backlog, until)
}

#[test]
fn what_rests_is_left_alone_however_often_it_is_changed() {
    let (now, wish) = (Instant::now(), wanted("x"));
    let (mut backlog, _) = fought_over(&wish, now);
    for decision in [Decision::Inspect, Decision::Create, Decision::Nothing] {
        for priority in [Priority::Single, Priority::Bulk] {
            backlog.heed(&wish.key, judged(&wish, decision.clone()), None, priority);
            assert!(backlog.queue.is_delayed(&wish.key), "{decision:?}");
            assert!(backlog.account.is_fought_over(&wish.key), "{decision:?}");
        }
    }
}

#[test]
fn another_wish_and_a_new_namespace_are_served_at_once() {
    let (now, wish) = (Instant::now(), wanted("x"));
    let update = Decision::Update(Why::SourceChanged);
    let cases = [
        (wanted("y"), update, Priority::Bulk),
        (wanted("x"), Decision::Create, Priority::Newcomer),
    ];
    for (desired, decision, priority) in cases {
        let (mut backlog, _) = fought_over(&wish, now);
        backlog.heed(
            &wish.key,
            judged(&desired, decision.clone()),
            None,
            priority,
        );
        assert_eq!(backlog.queue.depth(), 1);
        assert_eq!(
            backlog.rests(&wish.key, &judged(&desired, decision), now),
            None
        );
    }
}

#[test]
fn what_is_in_step_when_its_rest_is_over_is_not_told_of_any_more() {
    let (now, wish) = (Instant::now(), wanted("x"));
    let (backlog, until) = fought_over(&wish, now);
    let judgement = || judged(&wish, Decision::Nothing);
    assert_eq!(backlog.rests(&wish.key, &judgement(), now), Some(until));
    assert_eq!(backlog.rests(&wish.key, &judgement(), until), None);
}

#[test]
fn what_has_become_somebody_elses_or_is_not_wanted_any_more_does_not_rest() {
    let (now, wish) = (Instant::now(), wanted("x"));
    let not_ours = Conflict::NotOurs {
        managers: Vec::new(),
    };
    let (mut backlog, _) = fought_over(&wish, now);
    let judgement = judged(&wish, Decision::Conflict(not_ours));
    backlog.heed(&wish.key, judgement, None, Priority::Single);
    assert!(!backlog.account.is_fought_over(&wish.key));
    assert!(!backlog.queue.is_delayed(&wish.key));
    let (mut backlog, _) = fought_over(&wish, now);
    let unwanted = Judgement {
        desired: None,
        ..judged(&wish, Decision::Nothing)
    };
    backlog.heed(&wish.key, unwanted, None, Priority::Bulk);
    assert_eq!(backlog.account.troubled(), 0);
    assert!(!backlog.queue.is_delayed(&wish.key));
    assert_eq!(backlog.repairs.rests(&wish, now), None);
}

#[test]
fn an_object_in_step_that_was_not_told_of_does_not_rest() {
    let (now, wish) = (Instant::now(), wanted("x"));
    let mut backlog = Backlog::new(now);
    for _ in 0..6 {
        backlog.repairs.wrote(&wish, now);
    }
    let judgement = judged(&wish, Decision::Nothing);
    assert_eq!(backlog.rests(&wish.key, &judgement, now), None);
    let judgement = judged(&wish, Decision::Inspect);
    assert!(backlog.rests(&wish.key, &judgement, now).is_some());
}

#[test]
fn a_repair_counts_even_if_it_is_heard_of_before_it_is_answered() {
    let (now, wish) = (Instant::now(), wanted("x"));
    let mut backlog = Backlog::new(now);
    for _ in 0..4 {
        let single = Priority::Single;
        backlog.heed(&wish.key, judged(&wish, Decision::Inspect), None, single);
        backlog.repairs.disturbed(&wish, now);
        backlog.queue.next(now).unwrap();
        backlog.heed(&wish.key, judged(&wish, Decision::Nothing), None, single);
        backlog.repairs.wrote(&wish, now);
        backlog.repairs.in_step(&wish.key);
        backlog.queue.end(&wish.key, End::InStep, now);
    }
    assert!(backlog.repairs.rests(&wish, now).is_some());
}

#[test]
fn what_is_in_the_queue_waits_unless_something_else_is_told_of_it() {
    let (now, wish) = (Instant::now(), wanted("x"));
    let mut backlog = Backlog::new(now);
    assert!(!backlog.is_waiting(&wish));
    backlog.heed(
        &wish.key,
        judged(&wish, Decision::Create),
        None,
        Priority::Bulk,
    );
    assert!(backlog.is_waiting(&wish));
    backlog.queue.next(now).unwrap();
    assert!(backlog.is_waiting(&wish), "it isn't done yet");
    let conflict = Outcome::of(
        wish.key.clone(),
        Some(wish.clone()),
        None,
        Event::Conflict(Conflict::AdoptedUnchangeable),
    );
    backlog.account.note(&conflict, now);
    assert!(!backlog.is_waiting(&wish));
    backlog.account.set(&wish.key, None, now);
    backlog.queue.end(&wish.key, End::Written, now);
    assert!(!backlog.is_waiting(&wish), "it is written");
}
