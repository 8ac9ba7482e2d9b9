//! What can go wrong with an installation.

use crate::reconcile::{ApiError, Failure, Namespace, ObjectKey};

/// Why an installation couldn't be brought about.
#[derive(Debug, thiserror::Error)]
pub enum DeployError {
    /// Somebody else manages fields of an object.
    #[error("{key}: {message}")]
    Conflict {
        /// The object.
        key: ObjectKey,
        /// What the API server says.
        message: String,
    },
    /// Another installation has the name.
    #[error(
        "{key} belongs to the installation in namespace {namespace}; give this one another --name"
    )]
    Elsewhere {
        /// The object that both would have.
        key: ObjectKey,
        /// Where the other one is.
        namespace: Namespace,
    },
    /// The user asked to stop.
    #[error("interrupted; what was told is done, and a second call goes on")]
    Interrupted,
    /// There was nothing to remove.
    #[error("nothing is installed as {name} in namespace {namespace}")]
    NotThere {
        /// The name that was looked for.
        name: String,
        /// Where.
        namespace: Namespace,
    },
    /// A request failed.
    #[error("{0}")]
    Api(#[source] ApiError),
}

impl DeployError {
    /// Why an object couldn't be applied.
    pub fn of_apply(key: &ObjectKey, error: ApiError) -> Self {
        match error.failure {
            Failure::Conflict(message) => Self::Conflict {
                key: key.clone(),
                message,
            },
            Failure::Interrupted => Self::Interrupted,
            _ => Self::Api(error),
        }
    }

    /// Whether the namespace isn't there that an object goes into: nothing else can be missing for an apply.
    pub fn lacks_namespace(&self) -> bool {
        matches!(self, Self::Api(error) if matches!(error.failure, Failure::NotFound(_)))
    }

    /// What the user can do about it.
    pub fn hints(&self) -> Vec<String> {
        match self {
            Self::Conflict { .. } => vec![
                "to take these fields over, use --force-conflicts".to_owned(),
                "or give the value that they have with a flag".to_owned(),
            ],
            _ => Vec::new(),
        }
    }
}

impl From<ApiError> for DeployError {
    fn from(error: ApiError) -> Self {
        match error.failure {
            Failure::Interrupted => Self::Interrupted,
            _ => Self::Api(error),
        }
    }
}
