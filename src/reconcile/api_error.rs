//! What can go wrong with one request to the API server, told apart by what must be done about it.

use std::{fmt, time::Duration};

use super::ObjectKey;

/// What a request does, as RBAC spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verb {
    /// Reads one object.
    Get,
    /// Reads a collection.
    List,
    /// Follows the changes of a collection.
    Watch,
    /// Makes an object.
    Create,
    /// Puts an object in the place of another state of it.
    Update,
    /// Changes an object.
    Patch,
    /// Deletes an object.
    Delete,
}

impl fmt::Display for Verb {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Get => "get",
            Self::List => "list",
            Self::Watch => "watch",
            Self::Create => "create",
            Self::Update => "update",
            Self::Patch => "patch",
            Self::Delete => "delete",
        })
    }
}

/// A request that failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot {verb} {subject}: {failure}")]
pub struct ApiError {
    /// What the request was to do.
    pub verb: Verb,
    /// The object or collection, as a person would name it.
    pub subject: String,
    /// Why it failed.
    pub failure: Failure,
}

impl ApiError {
    /// The failure of a request on one object.
    pub fn on(verb: Verb, key: &ObjectKey, failure: Failure) -> Self {
        Self {
            verb,
            subject: key.to_string(),
            failure,
        }
    }
}

/// Why a request failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// 404: the object, its namespace or its whole resource isn't there.
    #[error("{0}")]
    NotFound(String),
    /// 409 `AlreadyExists`: the name is taken.
    #[error("{0}")]
    AlreadyExists(String),
    /// 409: a precondition (uid, resourceVersion) doesn't hold any more.
    #[error("{0}")]
    Conflict(String),
    /// 403 with the cause `NamespaceTerminating`.
    #[error("the namespace is being deleted")]
    NamespaceTerminating,
    /// 401: the API server doesn't know who we are.
    #[error("{0}")]
    Unauthorized(String),
    /// 403: not allowed by RBAC, a quota or an admission plugin.
    #[error("{0}")]
    Forbidden(String),
    /// 410: a continue token or resourceVersion is too old.
    #[error("{0}")]
    Expired(String),
    /// 429, or another answer that asks to come back later.
    #[error("{message}")]
    Throttled {
        /// What the API server said.
        message: String,
        /// How long it asked to wait, if it did.
        retry_after: Option<Duration>,
    },
    /// 5xx: whether the write took effect is not known.
    #[error("{message}")]
    Server {
        /// The HTTP status.
        status: u16,
        /// What the API server said.
        message: String,
        /// How long it asked to wait, if it did.
        retry_after: Option<Duration>,
    },
    /// Any other 4xx: the request itself is at fault, and repeating it is of no use.
    #[error("{message}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// What the API server said.
        message: String,
    },
    /// No connection came about, so nothing was sent.
    #[error("{0}")]
    NotConnected(String),
    /// The connection was lost after the request was sent: whether it took effect is not known.
    #[error("{0}")]
    ConnectionLost(String),
    /// No answer came in time: whether the request took effect is not known.
    #[error("no answer within {}s", .0.as_secs_f64())]
    TimedOut(Duration),
    /// The answer isn't what the API promises.
    #[error("the API server's answer can't be read: {0}")]
    Malformed(String),
    /// We were asked to stop before the request was sent.
    #[error("interrupted")]
    Interrupted,
    /// Another process may lead from now on: the request wasn't sent, or its answer not waited for.
    #[error("this process doesn't lead any more")]
    LeadershipLost,
}

impl Failure {
    /// Whether the same request may succeed later.
    pub fn is_transient(&self) -> bool {
        matches!(
            self,
            Self::Throttled { .. }
                | Self::Server { .. }
                | Self::NotConnected(_)
                | Self::ConnectionLost(_)
                | Self::TimedOut(_)
        )
    }

    /// Whether a write that failed so may have taken effect all the same.
    pub fn is_uncertain(&self) -> bool {
        matches!(
            self,
            Self::Server { .. } | Self::ConnectionLost(_) | Self::TimedOut(_)
        )
    }

    /// Whether the API server doesn't know the resource at all: it then answers in plain text.
    pub fn is_unknown_resource(&self) -> bool {
        matches!(self, Self::NotFound(_) | Self::Refused { status: 404, .. })
    }

    /// How long the API server asked to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Throttled { retry_after, .. } | Self::Server { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// Why, in one word for programs: the API server's where it gave one.
    pub fn word(&self) -> &'static str {
        self.reason().unwrap_or(match self {
            Self::NotConnected(_) => "NotConnected",
            Self::ConnectionLost(_) => "ConnectionLost",
            Self::TimedOut(_) => "TimedOut",
            Self::Malformed(_) => "Malformed",
            Self::Interrupted => "Interrupted",
            Self::LeadershipLost => "LeadershipLost",
            _ => "Unknown",
        })
    }

    /// The same failure with its message, if it has one, changed.
    #[must_use]
    pub fn map_message(mut self, change: impl FnOnce(&str) -> String) -> Self {
        if let Self::NotFound(message)
        | Self::AlreadyExists(message)
        | Self::Conflict(message)
        | Self::Unauthorized(message)
        | Self::Forbidden(message)
        | Self::Expired(message)
        | Self::Throttled { message, .. }
        | Self::Server { message, .. }
        | Self::Refused { message, .. }
        | Self::NotConnected(message)
        | Self::ConnectionLost(message)
        | Self::Malformed(message) = &mut self
        {
            *message = change(message);
        }
        self
    }

    /// The reason as kubectl names it in `Error from server (REASON)`, when a server answered.
    pub fn reason(&self) -> Option<&'static str> {
        Some(match self {
            Self::NotFound(_) | Self::Refused { status: 404, .. } => "NotFound",
            Self::AlreadyExists(_) => "AlreadyExists",
            Self::Conflict(_) => "Conflict",
            Self::NamespaceTerminating | Self::Forbidden(_) => "Forbidden",
            Self::Unauthorized(_) => "Unauthorized",
            Self::Expired(_) => "Expired",
            Self::Throttled { .. } => "TooManyRequests",
            Self::Server { status: 503, .. } => "ServiceUnavailable",
            Self::Server { status: 504, .. } => "Timeout",
            Self::Server { .. } => "InternalError",
            Self::Refused { status: 422, .. } => "Invalid",
            Self::Refused { .. } => "BadRequest",
            _ => return None,
        })
    }
}
