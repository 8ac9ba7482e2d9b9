//! What is decided about objects that aren't ours, or can't be changed.

use super::{
    decisions::{pair, whole_set},
    world::{actual, content, desired_by, foreign, key, owner},
};
use crate::reconcile::{
    Conflict, ConflictPolicy, Decision, Observed, Policies, PrunePolicy, Why, decide,
};

/// Decides about an object that isn't ours.
fn take_over(policy: ConflictPolicy, change: impl FnOnce(&mut Observed)) -> Decision {
    let policies = Policies {
        conflict: policy,
        ..Policies::default()
    };
    let desired = desired_by(
        policies,
        &key("team-a", "regcred"),
        &owner("rule"),
        "default/regcred",
        "value",
    );
    let mut observed = foreign(&desired.key);
    change(&mut observed);
    decide(Some(&desired), Some(&observed), &[], &whole_set())
}

fn managers() -> Vec<String> {
    vec!["helm".to_owned()]
}

fn equal(observed: &mut Observed) {
    observed.actual = Some(actual(&content("value")));
}

fn immutable(observed: &mut Observed) {
    observed.actual.as_mut().unwrap().immutable = true;
}

fn retyped(observed: &mut Observed) {
    observed.actual.as_mut().unwrap().r#type = Some("example.com/other".into());
}

#[test]
fn adopt_takes_over_only_what_is_equal() {
    let different = Conflict::Different {
        managers: managers(),
    };
    assert_eq!(
        take_over(ConflictPolicy::Adopt, |_| ()),
        Decision::Conflict(different)
    );
    assert_eq!(
        take_over(ConflictPolicy::Adopt, equal),
        Decision::Update(Why::Adopted)
    );
    assert_eq!(
        take_over(ConflictPolicy::Skip, equal),
        Decision::Conflict(Conflict::NotOurs {
            managers: managers()
        })
    );
}

#[test]
fn overwrite_takes_over_what_can_be_changed() {
    assert_eq!(
        take_over(ConflictPolicy::Overwrite, |_| ()),
        Decision::Update(Why::Overwritten)
    );
    assert_eq!(
        take_over(ConflictPolicy::Overwrite, equal),
        Decision::Update(Why::Adopted)
    );
    let unchangeable = Decision::Conflict(Conflict::Unchangeable {
        managers: managers(),
    });
    assert_eq!(
        take_over(ConflictPolicy::Overwrite, immutable),
        unchangeable
    );
    assert_eq!(take_over(ConflictPolicy::Overwrite, retyped), unchangeable);
    let both = |observed: &mut Observed| {
        equal(observed);
        immutable(observed);
    };
    assert_eq!(
        take_over(ConflictPolicy::Overwrite, both),
        Decision::Update(Why::Adopted)
    );
}

#[test]
fn what_may_be_taken_over_is_read_first_and_not_on_its_way_out() {
    for policy in [ConflictPolicy::Adopt, ConflictPolicy::Overwrite] {
        assert_eq!(
            take_over(policy, |observed| observed.actual = None),
            Decision::Inspect
        );
        assert_eq!(
            take_over(policy, |observed| observed.deleting = true),
            Decision::Wait
        );
    }
}

#[test]
fn a_copy_that_cannot_be_changed_is_replaced_unless_it_was_taken_over() {
    let changes: [fn(&mut Observed); 2] = [immutable, retyped];
    for change in changes {
        let stale = |observed: &mut Observed| {
            observed.actual = Some(actual(&content("old")));
            observed.marks.content = Some(content("old").hash());
            change(observed);
        };
        assert_eq!(pair(stale), Decision::Replace(Why::SourceChanged));
        let adopted = |observed: &mut Observed| {
            stale(observed);
            observed.marks.adopted = Some("".into());
        };
        assert_eq!(
            pair(adopted),
            Decision::Conflict(Conflict::AdoptedUnchangeable)
        );
    }
    let only_marks = |observed: &mut Observed| {
        equal(observed);
        immutable(observed);
        observed.marks.prune = None;
    };
    assert_eq!(pair(only_marks), Decision::Update(Why::MarksChanged));
}

#[test]
fn what_was_left_to_stay_is_as_good_as_somebody_elses() {
    let left = |content_of: &str| {
        let hash = content(content_of).hash();
        move |observed: &mut Observed| {
            observed.marks.owner = Some(owner("former"));
            observed.marks.prune = Some(PrunePolicy::Orphan);
            observed.marks.content = Some(hash);
            observed.foreign = None;
        }
    };
    let ours = |policy, change: &dyn Fn(&mut Observed)| {
        let policies = Policies {
            conflict: policy,
            ..Policies::default()
        };
        let key = key("team-a", "regcred");
        let desired = desired_by(policies, &key, &owner("rule"), "default/regcred", "value");
        let mut observed = super::world::written(&desired);
        change(&mut observed);
        decide(Some(&desired), Some(&observed), &[], &whole_set())
    };
    let conflict = Decision::Conflict(Conflict::LeftBy(owner("former")));
    let handed_over = Decision::Update(Why::HandedOver);
    assert_eq!(ours(ConflictPolicy::Skip, &left("value")), conflict);
    assert_eq!(ours(ConflictPolicy::Adopt, &left("old")), conflict);
    assert_eq!(ours(ConflictPolicy::Adopt, &left("value")), handed_over);
    assert_eq!(ours(ConflictPolicy::Overwrite, &left("old")), handed_over);
}
