//! The words for what becomes of objects: the same in result lines, reports and plans.

use crate::reconcile::{Conflict, Event, Failure, ObjectKey, Owner, ResourceType, Skip, Why};

/// What happened, as kubectl says it where kubectl has a word for it.
pub fn verb(event: &Event) -> &'static str {
    match event {
        Event::Created => "created",
        Event::Configured(_) => "configured",
        Event::Unchanged => "unchanged",
        Event::Pruned => "pruned",
        Event::Skipped(_) => "skipped",
        Event::Conflict(_) => "conflict",
        Event::Failed(_) => "failed",
    }
}

/// Why it happened, in one word for programs.
pub fn reason(event: &Event) -> Option<&'static str> {
    match event {
        Event::Created | Event::Unchanged | Event::Pruned => None,
        Event::Configured(why) => Some(why_reason(*why)),
        Event::Skipped(Skip::NamespaceGone) => Some("NamespaceGone"),
        Event::Skipped(Skip::NoLongerOurs) => Some("NoLongerOurs"),
        Event::Skipped(Skip::BeingDeleted) => Some("BeingDeleted"),
        Event::Conflict(conflict) => Some(conflict_reason(conflict)),
        Event::Failed(error) => Some(failure_reason(&error.failure)),
    }
}

/// Why a request failed, in one word: the API server's where it gave one.
fn failure_reason(failure: &Failure) -> &'static str {
    failure.reason().unwrap_or(match failure {
        Failure::NotConnected(_) => "NotConnected",
        Failure::ConnectionLost(_) => "ConnectionLost",
        Failure::TimedOut(_) => "TimedOut",
        Failure::Malformed(_) => "Malformed",
        Failure::Interrupted => "Interrupted",
        _ => "Unknown",
    })
}

/// Why an object is changed, in one word.
pub fn why_reason(why: Why) -> &'static str {
    match why {
        Why::SourceChanged => "SourceChanged",
        Why::Drifted => "Drifted",
        Why::MarksChanged => "MarksChanged",
        Why::HandedOver => "HandedOver",
    }
}

/// Why an object is left alone, in one word.
pub fn conflict_reason(conflict: &Conflict) -> &'static str {
    match conflict {
        Conflict::NotOurs { .. } => "NotOurs",
        Conflict::HeldBy(_) => "HeldByAnother",
        Conflict::Contested { .. } => "Contested",
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
    }
}

/// Why one object is left alone, for people.
pub fn conflict_sentence(key: &ObjectKey, conflict: &Conflict) -> String {
    format!("{key} {}; left alone", predicate(conflict, 1))
}

/// What is said of `count` objects that are left alone.
pub fn predicate(conflict: &Conflict, count: usize) -> String {
    let one_or_many = |one, many| if count == 1 { one } else { many };
    let is = one_or_many("is", "are");
    match conflict {
        Conflict::NotOurs { managers } if managers.is_empty() => {
            format!("{is} not ours (no field manager is recorded)")
        }
        Conflict::NotOurs { managers } => {
            format!("{is} not ours (managed by {})", managers.join(", "))
        }
        Conflict::HeldBy(owner) => {
            let belongs = one_or_many("belongs", "belong");
            format!("{belongs} to {}", rule(owner))
        }
        Conflict::Contested { winner, source } => {
            format!(
                "{is} wanted by {} too, which comes first (from {source})",
                rule(winner)
            )
        }
    }
}

/// An owner in a sentence.
pub fn rule(owner: &Owner) -> String {
    if owner.set.as_str() == "cluster" {
        format!("rule {}", owner.name)
    } else {
        format!("rule {} of set {}", owner.name, owner.set)
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
