//! The words for what becomes of objects: the same in result lines, reports and plans.

use crate::reconcile::{Conflict, Event, ObjectKey, Owner, ResourceType, Skip};

/// What happened, as kubectl says it where kubectl has a word for it.
pub fn verb(event: &Event) -> &'static str {
    match event {
        Event::Created => "created",
        Event::Configured(_) => "configured",
        Event::Replaced(_) => "replaced",
        Event::Unchanged => "unchanged",
        Event::Pruned => "pruned",
        Event::Orphaned => "orphaned",
        Event::Released => "released",
        Event::Skipped(_) => "skipped",
        Event::Conflict(_) => "conflict",
        Event::Failed(_) => "failed",
    }
}

/// Why nothing was to be done after all, for people.
pub fn skip_sentence(skip: Skip) -> &'static str {
    match skip {
        Skip::NamespaceGone => "the namespace is being deleted or gone",
        Skip::NoLongerOurs => "it is gone already or not ours any more",
        Skip::BeingDeleted => {
            "it is being deleted and waits for its finalizers; the next run makes it anew"
        }
        Skip::Waiting => "it waits for its turn",
    }
}

/// Why one object is left alone, for people.
pub fn conflict_sentence(key: &ObjectKey, conflict: &Conflict) -> String {
    format!("{key} {}; {}", predicate(conflict, 1), left(conflict))
}

/// What is done about objects that are in conflict.
pub fn left(conflict: &Conflict) -> &'static str {
    match conflict {
        Conflict::Rewritten => "left alone for a while",
        _ => "left alone",
    }
}

/// What is said of `count` objects that are left alone.
pub fn predicate(conflict: &Conflict, count: usize) -> String {
    let one_or_many = |one, many| if count == 1 { one } else { many };
    let is = one_or_many("is", "are");
    match conflict {
        Conflict::NotOurs { managers } => format!("{is} not ours{}", by(managers)),
        Conflict::Different { managers } => {
            let differs = one_or_many("differs", "differ");
            format!(
                "{is} not ours{} and {differs} from the original",
                by(managers)
            )
        }
        Conflict::Unchangeable { managers } => format!(
            "{is} not ours{} and immutable or of another type, so it would have to be deleted",
            by(managers)
        ),
        Conflict::AdoptedUnchangeable => {
            let was = one_or_many("was", "were");
            format!(
                "{was} taken over and {is} immutable or of another type by now, so it would have to be deleted"
            )
        }
        Conflict::LeftBy(owner) => {
            let was = one_or_many("was", "were");
            format!(
                "{was} left to stay by {} (prunePolicy: Orphan)",
                owner_phrase(owner)
            )
        }
        Conflict::HeldBy(owner) => {
            let belongs = one_or_many("belongs", "belong");
            format!("{belongs} to {}", owner_phrase(owner))
        }
        Conflict::Rewritten => {
            let keeps = one_or_many("keeps", "keep");
            format!("{keeps} being changed by something else")
        }
        Conflict::Contested { winner, source } => {
            format!(
                "{is} wanted by {} too, which comes first (from {source})",
                owner_phrase(winner)
            )
        }
    }
}

fn by(managers: &[String]) -> String {
    if managers.is_empty() {
        return " (no field manager is recorded)".to_owned();
    }
    format!(" (managed by {})", managers.join(", "))
}

/// An owner in a sentence.
pub fn owner_phrase(owner: &Owner) -> String {
    let phrase = format!("{} {}", owner.kind.noun, owner.path());
    if owner.set.as_str() == "cluster" {
        phrase
    } else {
        format!("{phrase} of set {}", owner.set)
    }
}

/// A number of objects of one resource.
pub fn counted(count: usize, resource: &ResourceType) -> String {
    format!("{count} {}", noun(count, resource))
}

/// The word for so many objects of one resource.
pub fn noun(count: usize, resource: &ResourceType) -> String {
    if count == 1 {
        resource.qualified_singular()
    } else {
        resource.qualified_plural()
    }
}
