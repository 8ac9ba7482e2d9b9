//! Whose turn is next, and what becomes of those that are asked for while they have it.

use super::*;
use crate::reconcile::{Name, Namespace, SECRETS};

const SECOND: Duration = Duration::from_secs(1);

fn key(namespace: &str) -> ObjectKey {
    ObjectKey::namespaced(&SECRETS, Namespace::from(namespace), Name::from("regcred"))
}

/// A queue with these waiting, and its first moment.
fn queue(waiting: &[(&str, Priority)]) -> (Queue, Instant) {
    let (mut queue, now) = (Queue::default(), Instant::now());
    for (namespace, priority) in waiting {
        queue.add(&key(namespace), *priority, now);
    }
    (queue, now)
}

/// All whose turn has come, in order.
fn turns(queue: &mut Queue, now: Instant) -> Vec<String> {
    let turns = std::iter::from_fn(|| queue.next(now));
    turns
        .map(|turn| turn.key.namespace.unwrap().to_string())
        .collect()
}

/// Gives the only one its turn, and ends that.
fn take_turn(queue: &mut Queue, end: End, now: Instant) {
    assert_eq!(turns(queue, now), ["a"]);
    queue.end(&key("a"), end, now);
}

/// How long after `now` the only one waits for its next turn.
fn delay(queue: &Queue, now: Instant) -> Duration {
    queue.due().unwrap() - now
}

fn is_forgotten(queue: &Queue) -> bool {
    queue.entries.is_empty() && queue.depth() == 0
}

#[test]
fn the_most_urgent_come_first_and_the_others_in_the_order_in_which_they_came() {
    let (mut queue, now) = queue(&[
        ("a", Priority::Bulk),
        ("b", Priority::Single),
        ("c", Priority::Newcomer),
        ("d", Priority::Bulk),
        ("e", Priority::Newcomer),
    ]);
    assert_eq!(queue.depth(), 5);
    assert_eq!(turns(&mut queue, now), ["c", "e", "b", "a", "d"]);
    assert_eq!(queue.depth(), 0);
}

#[test]
fn one_that_waits_is_there_once_and_becomes_more_urgent_but_never_less() {
    let (mut queue, now) = queue(&[
        ("a", Priority::Bulk),
        ("b", Priority::Single),
        ("a", Priority::Newcomer),
        ("b", Priority::Bulk),
        ("a", Priority::Single),
    ]);
    assert_eq!(queue.depth(), 2);
    assert_eq!(turns(&mut queue, now), ["a", "b"]);
}

#[test]
fn one_that_has_its_turn_does_not_get_another_one_beside_it() {
    let (mut queue, now) = queue(&[("a", Priority::Bulk)]);
    assert_eq!(turns(&mut queue, now), ["a"]);
    queue.add(&key("a"), Priority::Bulk, now + SECOND);
    queue.add(&key("a"), Priority::Newcomer, now + 2 * SECOND);
    assert_eq!(turns(&mut queue, now + 2 * SECOND), [""; 0]);
    queue.end(&key("a"), End::InStep, now + 3 * SECOND);
    let turn = queue.next(now + 3 * SECOND).unwrap();
    assert_eq!(turn.since, now + SECOND, "it was first asked for then");
    queue.end(&key("a"), End::InStep, now + 3 * SECOND);
    assert!(is_forgotten(&queue));
}

#[test]
fn what_was_written_waits_for_its_echo_and_is_come_to_once_more_if_it_was_asked_for() {
    let (mut queue, now) = queue(&[("a", Priority::Bulk)]);
    take_turn(&mut queue, End::Written, now);
    queue.add(&key("a"), Priority::Bulk, now);
    assert_eq!(turns(&mut queue, now + SECOND), [""; 0]);
    queue.echo(&key("a"));
    take_turn(&mut queue, End::InStep, now + SECOND);
    assert!(is_forgotten(&queue));
}

#[test]
fn an_echo_that_comes_before_the_answer_counts() {
    let (mut queue, now) = queue(&[("a", Priority::Bulk)]);
    assert_eq!(turns(&mut queue, now), ["a"]);
    queue.echo(&key("a"));
    queue.add(&key("a"), Priority::Single, now);
    queue.end(&key("a"), End::Written, now);
    take_turn(&mut queue, End::Written, now);
    assert!(!is_forgotten(&queue), "each write has an echo of its own");
    queue.echo(&key("a"));
    assert!(is_forgotten(&queue));
}

#[test]
fn an_echo_that_never_comes_is_not_waited_for_for_ever() {
    let (mut queue, now) = queue(&[("a", Priority::Bulk)]);
    take_turn(&mut queue, End::Written, now);
    queue.add(&key("a"), Priority::Single, now);
    assert_eq!(turns(&mut queue, now + ECHO - SECOND), [""; 0]);
    assert_eq!(delay(&queue, now), ECHO);
    assert_eq!(turns(&mut queue, now + ECHO), ["a"]);
}

#[test]
fn an_echo_of_one_that_waits_changes_nothing() {
    let (mut queue, now) = queue(&[("a", Priority::Bulk)]);
    queue.echo(&key("a"));
    queue.echo(&key("b"));
    queue.echo_all();
    take_turn(&mut queue, End::Failed, now);
    queue.echo_all();
    assert!(queue.is_delayed(&key("a")));
}

#[test]
fn when_all_was_read_anew_no_echo_is_waited_for() {
    let (mut queue, now) = queue(&[("a", Priority::Bulk), ("b", Priority::Bulk)]);
    assert_eq!(turns(&mut queue, now), ["a", "b"]);
    queue.end(&key("a"), End::Written, now);
    queue.echo_all();
    assert_eq!(queue.entries.len(), 1, "the other one still has its turn");
    queue.end(&key("b"), End::Written, now);
    assert!(is_forgotten(&queue));
}

#[test]
fn one_that_fails_is_tried_again_ever_later_and_anew_after_a_success() {
    let (mut queue, mut now) = queue(&[("a", Priority::Bulk)]);
    let mut delays = Vec::new();
    for _ in 0..12 {
        take_turn(&mut queue, End::Failed, now);
        let due = delay(&queue, now);
        assert_eq!(turns(&mut queue, now + due - SECOND / 10), [""; 0]);
        delays.push(due);
        now += due;
    }
    assert!(delays[0] >= SECOND / 2 && delays[0] <= SECOND, "{delays:?}");
    assert!(delays[5] >= 16 * SECOND, "{delays:?}");
    assert!(delays[11] <= FAILED.longest, "{delays:?}");
    take_turn(&mut queue, End::Written, now);
    queue.add(&key("a"), Priority::Bulk, now);
    queue.echo(&key("a"));
    take_turn(&mut queue, End::Failed, now);
    assert!(delay(&queue, now) <= SECOND);
}

#[test]
fn a_place_that_is_taken_is_looked_at_more_seldom() {
    let (mut queue, now) = queue(&[("a", Priority::Bulk)]);
    take_turn(&mut queue, End::Conflict, now);
    assert!(delay(&queue, now) >= CONFLICT.first / 2);
    assert!(queue.is_delayed(&key("a")));
}

#[test]
fn one_that_failed_is_tried_at_once_when_it_is_asked_for_but_does_not_forget_how_often_it_failed() {
    let (mut queue, now) = queue(&[("a", Priority::Bulk)]);
    for _ in 0..8 {
        take_turn(&mut queue, End::Failed, now);
        queue.add(&key("a"), Priority::Single, now);
        assert_eq!(queue.depth(), 1);
    }
    take_turn(&mut queue, End::Failed, now);
    let waits = queue.entries[&key("a")].state;
    let State::Delayed(due) = waits else {
        panic!("it has failed")
    };
    assert!(due - now > 60 * SECOND);
    assert_eq!(
        turns(&mut queue, due - SECOND),
        [""; 0],
        "the delays of earlier failures don't count any more"
    );
}

#[test]
fn one_of_many_that_fails_does_not_get_its_next_turn_at_once_and_one_to_which_something_happened_does()
 {
    for (priority, waits) in [
        (Priority::Bulk, true),
        (Priority::Single, false),
        (Priority::Newcomer, false),
    ] {
        for end in [End::Failed, End::Conflict] {
            let (mut queue, now) = queue(&[("a", Priority::Bulk)]);
            assert_eq!(turns(&mut queue, now), ["a"]);
            queue.add(&key("a"), priority, now);
            queue.end(&key("a"), end, now);
            assert_eq!(queue.is_delayed(&key("a")), waits, "{priority:?} {end:?}");
            assert_eq!(queue.depth(), usize::from(!waits));
        }
    }
}

#[test]
fn one_that_is_taken_back_has_no_turn() {
    let (mut queue, now) = queue(&[("a", Priority::Newcomer), ("b", Priority::Bulk)]);
    queue.remove(&key("a"));
    queue.remove(&key("c"));
    assert_eq!(queue.depth(), 1);
    assert_eq!(turns(&mut queue, now), ["b"]);
    queue.end(&key("b"), End::Failed, now);
    queue.remove(&key("b"));
    assert!(is_forgotten(&queue));
    assert_eq!(turns(&mut queue, now + 600 * SECOND), [""; 0]);
}

#[test]
fn one_that_is_taken_back_during_its_turn_keeps_that_one_alone() {
    for end in [End::InStep, End::Written] {
        let (mut queue, now) = queue(&[("a", Priority::Bulk)]);
        assert_eq!(turns(&mut queue, now), ["a"]);
        queue.add(&key("a"), Priority::Bulk, now);
        queue.remove(&key("a"));
        queue.end(&key("a"), end, now);
        queue.echo(&key("a"));
        assert!(is_forgotten(&queue), "{end:?}");
    }
}

#[test]
fn one_that_comes_back_waits_for_one_turn() {
    let (mut queue, now) = queue(&[("a", Priority::Bulk)]);
    for _ in 0..3 {
        queue.remove(&key("a"));
        queue.add(&key("a"), Priority::Bulk, now);
    }
    assert_eq!(queue.depth(), 1);
    assert_eq!(turns(&mut queue, now), ["a"]);
    assert_eq!(queue.depth(), 0);
}

#[test]
fn the_oldest_is_the_one_that_has_waited_longest() {
    let (mut queue, now) = queue(&[("a", Priority::Bulk)]);
    queue.add(&key("b"), Priority::Newcomer, now + SECOND);
    assert_eq!(queue.oldest(), Some(now));
    assert_eq!(turns(&mut queue, now + SECOND), ["b", "a"]);
    assert_eq!(queue.oldest(), None);
}

#[test]
fn what_has_ended_is_not_held() {
    let (mut queue, now) = queue(&[]);
    for number in 0..1000 {
        let key = key(&number.to_string());
        queue.add(&key, Priority::Bulk, now);
        queue.add(&key, Priority::Newcomer, now);
        queue.next(now).unwrap();
        queue.end(&key, End::Written, now);
        queue.echo(&key);
    }
    assert_eq!(turns(&mut queue, now + ECHO), [""; 0]);
    assert!(is_forgotten(&queue) && queue.delayed.is_empty());
    assert!(queue.ready.values().all(VecDeque::is_empty));
}

#[test]
fn one_that_rests_has_its_turn_again_then_and_earlier_if_something_happened_to_it() {
    let (mut queue, now) = queue(&[("a", Priority::Bulk)]);
    let until = now + 5 * SECOND;
    take_turn(&mut queue, End::Rests(until), now);
    assert!(queue.is_delayed(&key("a")));
    assert_eq!(queue.depth(), 0, "nobody waits for it");
    assert_eq!(turns(&mut queue, until - SECOND), [""; 0]);
    assert_eq!(queue.due(), Some(until));
    take_turn(&mut queue, End::Rests(until + SECOND), until);
    queue.add(&key("a"), Priority::Single, until);
    take_turn(&mut queue, End::InStep, until);
    assert_eq!(turns(&mut queue, until + SECOND), [""; 0]);
    assert!(is_forgotten(&queue));
}
