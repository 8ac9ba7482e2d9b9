//! The one place where policy lives: what must be done about one object.

use super::{Conflict, Desired, Marks, Observed, Owner, Provenance, PrunePolicy, Scope, Why};

/// What must be done about one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It is as it should be, or none of our business.
    Nothing,
    /// Its metadata leaves doubt: read it and decide again.
    Inspect,
    /// Make it.
    Create,
    /// Write its content and our marks.
    Update(Why),
    /// Delete it, in the state that was observed.
    Delete,
    /// Leave it until it is gone: it is being deleted.
    Wait,
    /// Leave it alone and say why.
    Conflict(Conflict),
}

/// Decides about one object.
///
/// `observed` is none only when the object is not known to exist; a creation finds out whether it
/// really doesn't.
pub fn decide(desired: Option<&Desired>, observed: Option<&Observed>, scope: &Scope) -> Decision {
    match (desired, observed) {
        (None, None) => Decision::Nothing,
        (None, Some(observed)) => decide_orphan(observed, scope),
        (Some(_), None) => Decision::Create,
        (Some(desired), Some(observed)) => decide_pair(desired, observed, scope),
    }
}

fn decide_orphan(observed: &Observed, scope: &Scope) -> Decision {
    let prunable = match &observed.marks.owner {
        Some(owner) => scope.may_prune(owner, &observed.key),
        None => false,
    };
    if prunable
        && observed.marks.are_ours()
        && !observed.deleting
        && observed.marks.prune == Some(PrunePolicy::Delete)
    {
        Decision::Delete
    } else {
        Decision::Nothing
    }
}

fn decide_pair(desired: &Desired, observed: &Observed, scope: &Scope) -> Decision {
    if !observed.marks.are_ours() {
        return Decision::Conflict(Conflict::NotOurs {
            managers: observed.managers.clone(),
        });
    }
    if observed.deleting {
        return Decision::Wait;
    }
    match &observed.marks.owner {
        Some(holder) if *holder != desired.template.owner => decide_held(holder, scope),
        _ => decide_drift(desired, observed),
    }
}

/// The planner lets a holder that still wants the object win, so here the holder is one that
/// doesn't want it, or one that this run doesn't know.
fn decide_held(holder: &Owner, scope: &Scope) -> Decision {
    if scope.knows(holder) {
        Decision::Update(Why::HandedOver)
    } else {
        Decision::Conflict(Conflict::HeldBy(holder.clone()))
    }
}

fn decide_drift(desired: &Desired, observed: &Observed) -> Decision {
    let wanted = desired.template.hash();
    if observed.marks.content != Some(wanted) {
        return Decision::Update(Why::SourceChanged);
    }
    let marks_match = marks_match(desired, &observed.marks);
    let trusted = observed.provenance == Provenance::OursAlone(desired.template.fields());
    match observed.actual {
        Some(actual) if actual != wanted => Decision::Update(Why::Drifted),
        None if !trusted => Decision::Inspect,
        _ if marks_match => Decision::Nothing,
        _ => Decision::Update(Why::MarksChanged),
    }
}

fn marks_match(desired: &Desired, marks: &Marks) -> bool {
    marks.managed
        && marks.owner.as_ref() == Some(&desired.template.owner)
        && marks.source.as_ref() == Some(&desired.template.source)
        && marks.prune == Some(desired.template.prune)
}
