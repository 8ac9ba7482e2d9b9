//! What can go wrong with the definitions.

use std::{io, time::Duration};

use crate::{
    api::{SCHEMA_REVISION, yaml::WriteError},
    reconcile::{ApiError, Failure, ObjectKey},
};

/// Why `crd install`, `crd uninstall` or `crd print` failed.
#[derive(Debug, thiserror::Error)]
pub enum CrdError {
    /// A request failed.
    #[error("{0}")]
    Api(#[from] ApiError),
    /// Standard output or standard error can't be written to.
    #[error("{0}")]
    Output(#[from] io::Error),
    /// The definitions have no form as text.
    #[error("{0}")]
    Text(#[from] WriteError),
    /// The definition of the cluster is newer than ours.
    #[error(
        "{key} has schema revision {found}, and this kubectl-copyrator knows revisions up to {SCHEMA_REVISION}; \
         use a newer kubectl-copyrator, or go back to its older schema with --force"
    )]
    Newer {
        /// The definition.
        key: ObjectKey,
        /// Its revision, as its annotation says.
        found: String,
    },
    /// Somebody else made the definition.
    #[error(
        "{key} was not made by kubectl-copyrator, and is left alone; to {verb} it all the same, use --force"
    )]
    Foreign {
        /// The definition.
        key: ObjectKey,
        /// What was to be done with it.
        verb: &'static str,
    },
    /// Another definition of the cluster has the names of ours.
    #[error("{key} is not served, because its names are taken: {message}")]
    NamesTaken {
        /// The definition.
        key: ObjectKey,
        /// What the API server says.
        message: String,
    },
    /// What was waited for didn't happen in time.
    #[error("waited {}s for {goal}, in vain: {why}; {done}", .limit.as_secs_f64())]
    TimedOut {
        /// What was waited for.
        goal: String,
        /// How long.
        limit: Duration,
        /// What was still missing.
        why: String,
        /// What was done so far.
        done: String,
    },
    /// The user asked to stop.
    #[error("interrupted while {doing}; {done}")]
    Interrupted {
        /// What was going on.
        doing: String,
        /// What was done so far.
        done: String,
    },
    /// `--check` found the definitions missing, older or not established.
    #[error("{}; run: kubectl copyrator crd install", .0.join("; "))]
    Unready(Vec<String>),
    /// Nobody can be asked.
    #[error(
        "nobody can be asked whether to delete, because this is no terminal; to delete without asking, use --yes"
    )]
    Unasked,
    /// The user said no.
    #[error("nothing was deleted")]
    Declined,
}

impl CrdError {
    /// Whether it is about one definition alone, and says nothing of the others.
    pub(super) fn is_of_one_definition(&self) -> bool {
        match self {
            Self::Newer { .. }
            | Self::Foreign { .. }
            | Self::NamesTaken { .. }
            | Self::TimedOut { .. }
            | Self::Unready(_) => true,
            Self::Api(error) => matches!(
                error.failure,
                Failure::NotFound(_)
                    | Failure::AlreadyExists(_)
                    | Failure::Conflict(_)
                    | Failure::Forbidden(_)
                    | Failure::Refused { .. }
            ),
            Self::Output(_)
            | Self::Text(_)
            | Self::Interrupted { .. }
            | Self::Unasked
            | Self::Declined => false,
        }
    }
}
