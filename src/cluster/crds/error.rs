//! Why a definition isn't installed or removed.

use std::time::Duration;

use crate::reconcile::ApiError;

/// Why a definition isn't installed or removed, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum CrdError {
    /// A request failed.
    #[error(transparent)]
    Api(#[from] ApiError),
    /// The installed definition is newer.
    #[error(
        "{name} is installed with schema revision {installed}, which is newer than this program's \
         {ours}; upgrade kubectl-copyrator, or replace the newer one with --force"
    )]
    Newer {
        /// The definition.
        name: String,
        /// What is installed.
        installed: u32,
        /// What would replace it.
        ours: u32,
    },
    /// The installed definition is somebody else's.
    #[error(
        "{name} exists but isn't marked as ours (app.kubernetes.io/managed-by=kubectl-copyrator); \
         it was written by {managers}; {advice}"
    )]
    Foreign {
        /// The definition.
        name: String,
        /// Who wrote it.
        managers: String,
        /// What to do.
        advice: &'static str,
    },
    /// Another definition has the names.
    #[error(
        "{name} is installed, but the API server refuses its names: {message}; \
         delete the other definition, and this one is served at once"
    )]
    NamesRefused {
        /// The definition.
        name: String,
        /// What the API server says.
        message: String,
    },
    /// The definition is on its way out.
    #[error(
        "{0} is being deleted; wait until it is gone (kubectl wait --for=delete crd/{0}), then try again"
    )]
    Terminating(String),
    /// It took too long until it was served.
    #[error(
        "{name} is installed, but the API server doesn't serve it after {}s; \
         look at its conditions with: kubectl describe crd {name}",
        after.as_secs()
    )]
    NotServed {
        /// The definition.
        name: String,
        /// How long it was waited for.
        after: Duration,
    },
    /// It took too long until it was gone.
    #[error(
        "{name} is still being deleted after {}s; an object with a finalizer holds it: kubectl get copyrator -A",
        after.as_secs()
    )]
    NotGone {
        /// The definition.
        name: String,
        /// How long it was waited for.
        after: Duration,
    },
}
