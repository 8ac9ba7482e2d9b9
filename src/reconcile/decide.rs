//! The one place where policy lives: what must be done about one object.

use super::{
    Conflict, ConflictPolicy, Desired, Observed, Owner, Provenance, PrunePolicy, Pruning, Scope,
    Why,
};

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
    /// Delete it and make it anew: the API server doesn't let it be changed.
    Replace(Why),
    /// Delete it, in the state that was observed.
    Delete,
    /// Mark it as one that stays: nobody wants it, and its owner has changed its mind since it was made.
    Orphan,
    /// Take our marks off it: it was taken over, and nobody wants it any more.
    Release,
    /// Leave it until it is gone: it is being deleted.
    Wait,
    /// Leave it alone and say why.
    Conflict(Conflict),
}

/// Decides about one object.
///
/// `observed` is none only when the object is not known to exist; a creation finds out whether it
/// really doesn't. `rivals` are other owners that want the object too.
pub fn decide(
    desired: Option<&Desired>,
    observed: Option<&Observed>,
    rivals: &[Owner],
    scope: &Scope,
) -> Decision {
    match (desired, observed) {
        (None, None) => Decision::Nothing,
        (None, Some(observed)) => decide_orphan(observed, scope),
        (Some(_), None) => Decision::Create,
        (Some(desired), Some(observed)) => decide_pair(desired, observed, rivals, scope),
    }
}

fn decide_orphan(observed: &Observed, scope: &Scope) -> Decision {
    let marks = &observed.marks;
    if !marks.are_ours() || observed.deleting || !scope.may_prune(observed) {
        return Decision::Nothing;
    }
    match (&marks.adopted, marks.prune) {
        (Some(_), _) => Decision::Release,
        (None, _) if scope.pruning == Pruning::OnPurpose => Decision::Delete,
        (None, Some(PrunePolicy::Delete))
            if marks
                .owner
                .as_ref()
                .is_some_and(|owner| scope.orphaning.contains(owner)) =>
        {
            Decision::Orphan
        }
        (None, Some(PrunePolicy::Delete)) => Decision::Delete,
        _ => Decision::Nothing,
    }
}

fn decide_pair(
    desired: &Desired,
    observed: &Observed,
    rivals: &[Owner],
    scope: &Scope,
) -> Decision {
    if !observed.marks.are_ours() {
        return decide_foreign(desired, observed);
    }
    if observed.deleting {
        return Decision::Wait;
    }
    match &observed.marks.owner {
        Some(holder) if *holder != desired.template.owner => {
            let is_given_up = scope.knows(holder) && !rivals.contains(holder);
            decide_held(desired, observed, holder, is_given_up)
        }
        _ => decide_drift(desired, observed),
    }
}

/// Another owner's is taken over once that one is known not to want it. If it left the object to stay, it is
/// as good as somebody else's.
fn decide_held(
    desired: &Desired,
    observed: &Observed,
    holder: &Owner,
    is_given_up: bool,
) -> Decision {
    if !is_given_up {
        return Decision::Conflict(Conflict::HeldBy(holder.clone()));
    }
    let is_left = observed.marks.prune == Some(PrunePolicy::Orphan);
    let is_equal = observed.marks.content == Some(desired.template.hash());
    match desired.template.policies.conflict {
        ConflictPolicy::Skip if is_left => Decision::Conflict(Conflict::LeftBy(holder.clone())),
        ConflictPolicy::Adopt if is_left && !is_equal => {
            Decision::Conflict(Conflict::LeftBy(holder.clone()))
        }
        _ => write(desired, observed, Why::HandedOver),
    }
}

/// What isn't ours is taken over only where the owner of the wish says so, and never by deleting it.
fn decide_foreign(desired: &Desired, observed: &Observed) -> Decision {
    let policy = desired.template.policies.conflict;
    let managers = || observed.managers().to_vec();
    if policy == ConflictPolicy::Skip {
        return Decision::Conflict(Conflict::NotOurs {
            managers: managers(),
        });
    }
    if observed.deleting {
        return Decision::Wait;
    }
    match &observed.actual {
        None => Decision::Inspect,
        Some(actual) if actual.hash == desired.template.hash() => Decision::Update(Why::Adopted),
        Some(_) if policy == ConflictPolicy::Adopt => Decision::Conflict(Conflict::Different {
            managers: managers(),
        }),
        Some(_) => write(desired, observed, Why::Overwritten),
    }
}

fn decide_drift(desired: &Desired, observed: &Observed) -> Decision {
    let wanted = desired.template.hash();
    if observed.marks.content != Some(wanted) {
        return write(desired, observed, Why::SourceChanged);
    }
    let trusted = observed.provenance == Provenance::OursAlone(desired.template.fields());
    match &observed.actual {
        Some(actual) if actual.hash != wanted => write(desired, observed, Why::Drifted),
        None if !trusted => Decision::Inspect,
        _ if !desired.has_its_marks(&observed.marks)
            || !desired.has_its_owner_reference(observed) =>
        {
            Decision::Update(Why::MarksChanged)
        }
        _ if !desired.has_its_metadata(observed) => Decision::Update(Why::MetadataChanged),
        _ => Decision::Nothing,
    }
}

/// Writes the content, in the way that the API server allows. Where that isn't known, an update is
/// tried: it is refused if the object can't be changed.
fn write(desired: &Desired, observed: &Observed, why: Why) -> Decision {
    let template = &desired.template;
    let unchangeable = observed.actual.as_ref().is_some_and(|actual| {
        actual.hash != template.hash() && !actual.accepts(template.content())
    });
    if !unchangeable {
        return Decision::Update(why);
    }
    match (&observed.foreign, &observed.marks.adopted) {
        (Some(foreign), _) => Decision::Conflict(Conflict::Unchangeable {
            managers: foreign.managers.clone(),
        }),
        (None, Some(_)) => Decision::Conflict(Conflict::AdoptedUnchangeable),
        (None, None) => Decision::Replace(why),
    }
}
