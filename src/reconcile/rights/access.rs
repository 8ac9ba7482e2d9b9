//! A question about rights, as the API server's access reviews put it, and its answer.

use std::sync::Arc;

use crate::reconcile::{Name, Namespace, ObjectKey, ResourceType, Verb};

/// Something that may be allowed or not.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Access {
    /// What is to be done.
    pub verb: Verb,
    /// To objects of this resource.
    pub resource: &'static ResourceType,
    /// Of each object only to this part, such as `status`; to all else of it when none.
    pub subresource: Option<&'static str>,
    /// In this namespace; in all of them when none.
    pub namespace: Option<Namespace>,
    /// To the object of this name; to all of them when none.
    pub name: Option<Name>,
}

/// What the API server says of an access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is allowed.
    Allowed,
    /// It isn't, with the reason if there is one: RBAC gives none where no rule allows it.
    Denied(String),
}

/// What a plan needs and the user may not do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MissingPermissions {
    /// The user, as the API server names it; none where it doesn't tell.
    pub user: Option<Arc<str>>,
    /// What may not be done to which objects.
    pub denied: Vec<(Verb, ObjectKey)>,
}
