//! Which rights each decision needs: the one place that knows.

use crate::reconcile::{Decision, Verb};

/// What must be allowed to carry out a decision. What a second look may lead to isn't part of it:
/// nobody should need more rights than are used.
pub fn needs(decision: &Decision) -> &'static [Verb] {
    match decision {
        Decision::Nothing | Decision::Wait | Decision::Conflict(_) => &[],
        Decision::Inspect => &[Verb::Get],
        Decision::Create => &[Verb::Create],
        Decision::Update(_) | Decision::Release | Decision::Orphan => &[Verb::Patch],
        Decision::Replace(_) => &[Verb::Delete, Verb::Create],
        Decision::Delete => &[Verb::Delete],
    }
}

/// Whether RBAC can allow it for single names: a creation doesn't tell the name before it is allowed.
pub(super) fn can_be_named(verb: Verb) -> bool {
    match verb {
        Verb::Get | Verb::Update | Verb::Patch | Verb::Delete => true,
        Verb::List | Verb::Watch | Verb::Create => false,
    }
}
