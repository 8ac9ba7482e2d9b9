//! What makes a command fail, with what to do about it.

use std::{error::Error, io};

use crate::{
    api::manifest::Problems,
    cluster::{ConnectError, CrdError, describe_transport},
    copy::CopyError,
    output::ExternalDiffError,
    reconcile::{ApiError, RunError},
};

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// Files with rules are wrong.
    #[error("{0}")]
    Manifests(Problems),
    /// There is no connection to a cluster.
    #[error("{0}")]
    Connect(#[from] ConnectError),
    /// A run ended before it began to write.
    #[error("{0}")]
    Run(#[from] RunError<CopyError>),
    /// A request failed.
    #[error("{0}")]
    Api(#[from] ApiError),
    /// The API server can't be spoken to; kubectl says so without any prefix.
    #[error("{0}")]
    Unreachable(String),
    /// A definition can't be installed or removed.
    #[error("{0}")]
    Crd(CrdError),
    /// Somebody would have to be asked, but nobody is there.
    #[error("nobody can be asked, because this is no terminal")]
    NobodyToAsk,
    /// The user interrupted a wait.
    #[error("interrupted; {0}")]
    Interrupted(&'static str),
    /// The user's own diff program failed.
    #[error("{0}")]
    ExternalDiff(#[from] ExternalDiffError),
    /// Output couldn't be written.
    #[error("cannot write the output")]
    Output(#[from] io::Error),
}

impl From<CrdError> for CommandError {
    fn from(error: CrdError) -> Self {
        match error {
            CrdError::Api(error) => Self::Api(error),
            error => Self::Crd(error),
        }
    }
}

impl CommandError {
    /// The same, but in kubectl's words when the API server at `server` can't be spoken to.
    #[must_use]
    pub fn about(self, server: &str) -> Self {
        let causes = std::iter::successors(Some(&self as &(dyn Error + 'static)), |error| {
            (*error).source()
        });
        let text = causes
            .filter_map(|cause| cause.downcast_ref::<ApiError>())
            .find_map(|error| describe_transport(&error.failure, server));
        text.map_or(self, Self::Unreachable)
    }

    /// What the user can do about it.
    pub fn hints(&self) -> Vec<String> {
        match self {
            Self::Run(RunError::Domain(CopyError::NotInstalled)) => vec![
                "install it with: kubectl copyrator crd install".to_owned(),
                "or give rules in files, which need nothing installed: kubectl copyrator sync -f rule.yaml"
                    .to_owned(),
            ],
            Self::Run(RunError::Domain(CopyError::NoSuchRules(_))) => {
                vec!["list the rules with: kubectl get copyratorrules".to_owned()]
            }
            Self::NobodyToAsk => vec!["to go on without a question, give --yes".to_owned()],
            _ => Vec::new(),
        }
    }

    /// Whether the reader of our output went away, which is no failure of ours.
    pub fn is_broken_pipe(&self) -> bool {
        let error = match self {
            Self::Output(error) | Self::ExternalDiff(ExternalDiffError::Output(error)) => error,
            _ => return false,
        };
        error.kind() == io::ErrorKind::BrokenPipe
    }

    /// Whether the user interrupted the command.
    pub fn is_interruption(&self) -> bool {
        matches!(
            self,
            Self::Run(RunError::Interrupted) | Self::Interrupted(_)
        )
    }
}
