//! Every branch of the decision about one object.

use std::collections::{BTreeSet, HashSet};

use super::world::{actual, content, desired, foreign, key, owner, stranger, written};
use crate::reconcile::{
    Conflict, Decision, Loaded, Observed, Provenance, PrunePolicy, Pruning, SECRETS, Scope,
    SetName, Why, decide,
};

pub fn whole_set() -> Scope {
    Scope {
        set: SetName::cluster(),
        loaded: Loaded::WholeSet,
        withheld: BTreeSet::new(),
        orphaning: BTreeSet::new(),
        kept_sources: HashSet::new(),
        leaving: HashSet::new(),
        pruning: Pruning::ByPolicy,
    }
}

pub fn pair(change: impl FnOnce(&mut Observed)) -> Decision {
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
        |observed| observed.marks.labelled = false,
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
fn without_an_owner_it_is_nobodys_to_take() {
    let decision = pair(|observed| observed.marks.owner = None);
    assert!(
        matches!(decision, Decision::Conflict(Conflict::NotOurs { .. })),
        "{decision:?}"
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
            loaded: Loaded::Only([(None, "other".into())].into()),
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
fn an_owner_that_exists_may_have_changed_its_mind() {
    let orphaning = Scope {
        orphaning: [owner("rule")].into(),
        ..whole_set()
    };
    assert_eq!(orphan(&orphaning, |_| ()), Decision::Orphan);
    let marked = |observed: &mut Observed| observed.marks.prune = Some(PrunePolicy::Orphan);
    assert_eq!(orphan(&orphaning, marked), Decision::Nothing);
    assert_eq!(orphan(&whole_set(), marked), Decision::Nothing);
    let adopted = |observed: &mut Observed| observed.marks.adopted = Some("".into());
    assert_eq!(orphan(&orphaning, adopted), Decision::Release);
}

#[test]
fn what_was_made_from_an_original_that_is_a_copy_now_is_kept() {
    let kept = Scope {
        kept_sources: [(&SECRETS, "default/regcred".into())].into(),
        ..whole_set()
    };
    assert_eq!(orphan(&kept, |_| ()), Decision::Nothing);
    let other = |observed: &mut Observed| observed.marks.source = Some("default/other".into());
    assert_eq!(orphan(&kept, other), Decision::Delete);
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
