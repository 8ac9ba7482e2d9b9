//! Every branch of the decision about one object.

use std::collections::{BTreeSet, HashSet};

use super::world::{actual, content, desired, desired_by, foreign, key, owner, stranger, written};
use crate::reconcile::{
    Conflict, ConflictPolicy, Decision, Loaded, Observed, Policies, Provenance, PrunePolicy,
    Pruning, Scope, SetName, Why, decide,
};

fn whole_set() -> Scope {
    Scope {
        set: SetName::cluster(),
        loaded: Loaded::WholeSet,
        withheld: BTreeSet::new(),
        leaving: HashSet::new(),
        pruning: Pruning::ByPolicy,
    }
}

fn pair(change: impl FnOnce(&mut Observed)) -> Decision {
    let desired = desired(
        &key("team-a", "regcred"),
        &owner("rule"),
        "default/regcred",
        "value",
    );
    let mut observed = Observed {
        actual: None,
        ..written(&desired)
    };
    change(&mut observed);
    decide(Some(&desired), Some(&observed), &[], &whole_set())
}

fn orphan(scope: &Scope, change: impl FnOnce(&mut Observed)) -> Decision {
    let mut observed = written(&desired(
        &key("team-a", "regcred"),
        &owner("rule"),
        "default/regcred",
        "value",
    ));
    change(&mut observed);
    decide(None, Some(&observed), &[], scope)
}

#[test]
fn a_missing_object_is_made() {
    let desired = desired(
        &key("team-a", "regcred"),
        &owner("rule"),
        "default/regcred",
        "value",
    );
    assert_eq!(
        decide(Some(&desired), None, &[], &whole_set()),
        Decision::Create
    );
}

#[test]
fn an_object_in_step_needs_nothing() {
    assert_eq!(pair(|_| ()), Decision::Nothing);
}

#[test]
fn a_changed_source_is_written_without_a_look() {
    assert_eq!(
        pair(|observed| observed.marks.content = Some(content("old").hash())),
        Decision::Update(Why::SourceChanged)
    );
}

#[test]
fn doubtful_provenance_is_looked_at() {
    assert_eq!(
        pair(|observed| observed.provenance = Provenance::Doubtful),
        Decision::Inspect
    );
}

#[test]
fn a_look_tells_drift_from_an_edit_that_was_reverted() {
    let drifted = pair(|observed| {
        observed.provenance = Provenance::Doubtful;
        observed.actual = Some(actual(&content("edited")));
    });
    assert_eq!(drifted, Decision::Update(Why::Drifted));
    let reverted = pair(|observed| {
        observed.provenance = Provenance::Doubtful;
        observed.actual = Some(actual(&content("value")));
    });
    assert_eq!(reverted, Decision::Nothing);
}

#[test]
fn a_full_read_finds_drift_that_metadata_hides() {
    assert_eq!(
        pair(|observed| observed.actual = Some(actual(&content("edited")))),
        Decision::Update(Why::Drifted)
    );
}

#[test]
fn missing_marks_come_back() {
    let changes: [fn(&mut Observed); 3] = [
        |observed| observed.marks.managed = false,
        |observed| observed.marks.owner = None,
        |observed| observed.marks.prune = None,
    ];
    for change in changes {
        assert_eq!(pair(change), Decision::Update(Why::MarksChanged));
    }
}

#[test]
fn what_is_not_ours_is_left_alone() {
    let desired = desired(
        &key("team-a", "regcred"),
        &owner("rule"),
        "default/regcred",
        "value",
    );
    let conflict = Conflict::NotOurs {
        managers: vec!["helm".into()],
    };
    assert_eq!(
        decide(
            Some(&desired),
            Some(&foreign(&desired.key)),
            &[],
            &whole_set()
        ),
        Decision::Conflict(conflict)
    );
}

#[test]
fn a_clone_of_a_copy_is_not_ours() {
    let decision = pair(|observed| observed.marks.on_its_target = false);
    assert!(
        matches!(decision, Decision::Conflict(Conflict::NotOurs { .. })),
        "{decision:?}"
    );
    assert_eq!(
        orphan(&whole_set(), |observed| observed.marks.on_its_target =
            false),
        Decision::Nothing
    );
}

#[test]
fn an_object_on_its_way_out_is_waited_for() {
    assert_eq!(pair(|observed| observed.deleting = true), Decision::Wait);
    assert_eq!(
        orphan(&whole_set(), |observed| observed.deleting = true),
        Decision::Nothing
    );
}

#[test]
fn another_owner_keeps_it_unless_it_is_known_not_to_want_it() {
    assert_eq!(
        pair(|observed| observed.marks.owner = Some(owner("former"))),
        Decision::Update(Why::HandedOver)
    );
    assert_eq!(
        pair(|observed| observed.marks.owner = Some(stranger("rule"))),
        Decision::Conflict(Conflict::HeldBy(stranger("rule")))
    );
}

#[test]
fn a_rival_that_holds_it_keeps_it() {
    let desired = desired(
        &key("team-a", "regcred"),
        &owner("first"),
        "default/regcred",
        "value",
    );
    let theirs = owner("second");
    let mut observed = written(&desired);
    observed.marks.owner = Some(theirs.clone());
    assert_eq!(
        decide(
            Some(&desired),
            Some(&observed),
            std::slice::from_ref(&theirs),
            &whole_set()
        ),
        Decision::Conflict(Conflict::HeldBy(theirs))
    );
}

#[test]
fn an_orphan_is_deleted() {
    assert_eq!(orphan(&whole_set(), |_| ()), Decision::Delete);
}

#[test]
fn an_orphan_is_kept_where_its_owner_may_still_want_it() {
    let scopes = [
        Scope {
            pruning: Pruning::Off,
            ..whole_set()
        },
        Scope {
            set: SetName::files(),
            ..whole_set()
        },
        Scope {
            loaded: Loaded::Only(["other".into()].into()),
            ..whole_set()
        },
        Scope {
            withheld: [owner("rule")].into(),
            ..whole_set()
        },
        Scope {
            leaving: ["team-a".into()].into(),
            ..whole_set()
        },
    ];
    for scope in scopes {
        assert_eq!(orphan(&scope, |_| ()), Decision::Nothing, "{scope:?}");
    }
    for prune in [None, Some(PrunePolicy::Orphan)] {
        assert_eq!(
            orphan(&whole_set(), |observed| observed.marks.prune = prune),
            Decision::Nothing
        );
    }
}

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
fn what_was_taken_over_is_released_and_never_deleted() {
    for prune in [PrunePolicy::Delete, PrunePolicy::Orphan] {
        let decision = orphan(&whole_set(), |observed| {
            observed.marks.adopted = Some("Helm".into());
            observed.marks.prune = Some(prune);
        });
        assert_eq!(decision, Decision::Release);
    }
    let off = Scope {
        pruning: Pruning::Off,
        ..whole_set()
    };
    assert_eq!(
        orphan(&off, |observed| observed.marks.adopted = Some("".into())),
        Decision::Nothing
    );
}

#[test]
fn on_purpose_even_what_would_stay_is_deleted() {
    let on_purpose = Scope {
        pruning: Pruning::OnPurpose,
        ..whole_set()
    };
    for prune in [None, Some(PrunePolicy::Orphan), Some(PrunePolicy::Delete)] {
        assert_eq!(
            orphan(&on_purpose, |observed| observed.marks.prune = prune),
            Decision::Delete
        );
    }
}
