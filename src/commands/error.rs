//! What makes a command fail, with what to do about it.

use std::{error::Error, io, time::Duration};

use super::{crd::CrdError, deploy::DeployError, rates::AskError};
use crate::{
    api::manifest::Problems,
    cluster::{ConnectError, describe_failure},
    copy::CopyError,
    exit::Ending,
    output::ExternalDiffError,
    rates::{RatesError, provider::WebError},
    reconcile::{ApiError, RunError},
    telemetry::ServeError,
};

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// Files with rules are wrong.
    #[error("{0}")]
    Manifests(Problems),
    /// The arguments don't fit together.
    #[error("{0}")]
    Arguments(String),
    /// The time that the command was given was up before anything was written.
    #[error("timed out after {}s; nothing was written", .0.as_secs_f64())]
    TimedOut(Duration),
    /// There is no connection to a cluster.
    #[error("{0}")]
    Connect(#[from] ConnectError),
    /// Nothing can be said about copies.
    #[error("{0}")]
    Copy(#[from] CopyError),
    /// Nothing can be said about exchange rates.
    #[error("{0}")]
    Rates(#[from] RatesError),
    /// Providers can't be asked at all.
    #[error("{0}")]
    Web(#[from] WebError),
    /// The run was stopped before anything was written.
    #[error("interrupted; nothing was written")]
    Interrupted,
    /// The API server can't be talked to.
    #[error("{0}")]
    Unreachable(String),
    /// A request failed.
    #[error("{0}")]
    Api(#[from] ApiError),
    /// The definitions of the custom resources couldn't be dealt with.
    #[error("{0}")]
    Crd(#[from] CrdError),
    /// The installation couldn't be brought about.
    #[error("{0}")]
    Deploy(#[from] DeployError),
    /// There are no exchange rates to show.
    #[error("{0}")]
    Ask(#[from] AskError),
    /// Health and metrics can't be served.
    #[error("{0}")]
    Serve(#[from] ServeError),
    /// The user's own diff program failed.
    #[error("{0}")]
    ExternalDiff(#[from] ExternalDiffError),
    /// Output couldn't be written.
    #[error("cannot write the output")]
    Output(#[from] io::Error),
}

impl CommandError {
    /// Why a run ended before it began to write.
    pub fn of_run<E: Error + Into<Self>>(error: RunError<E>) -> Self {
        match error {
            RunError::Api(error) => Self::Api(error),
            RunError::Domain(error) => error.into(),
            RunError::Interrupted => Self::Interrupted,
        }
    }

    /// The same error, in kubectl's words if the API server at this address couldn't be talked to.
    #[must_use]
    pub fn explained(self, server: &str) -> Self {
        match api_error(&self).and_then(|error| describe_failure(server, &error.failure)) {
            Some(sentence) => Self::Unreachable(sentence),
            None => self,
        }
    }

    /// What the user can do about it.
    pub fn hints(&self) -> Vec<String> {
        match self {
            Self::Copy(CopyError::NotInstalled) | Self::Rates(RatesError::NotInstalled) => vec![
                "install it with: kubectl copyrator crd install".to_owned(),
                "or give files with -f, which need nothing installed".to_owned(),
            ],
            Self::Copy(CopyError::NoSuchRules(_)) => {
                vec!["list the rules with: kubectl get copyratorrules".to_owned()]
            }
            Self::Rates(RatesError::NoSuchRates { .. }) => {
                vec!["list the ExchangeRates with: kubectl get exchangerates -A".to_owned()]
            }
            Self::Deploy(error) => error.hints(),
            _ => Vec::new(),
        }
    }

    /// Whether the reader of our output went away, which is no failure of ours.
    pub fn is_broken_pipe(&self) -> bool {
        let (Self::Output(error)
        | Self::Crd(CrdError::Output(error))
        | Self::ExternalDiff(ExternalDiffError::Output(error))) = self
        else {
            return false;
        };
        error.kind() == io::ErrorKind::BrokenPipe
    }

    /// Whether the user interrupted the command.
    pub fn is_interruption(&self) -> bool {
        matches!(
            self,
            Self::Interrupted
                | Self::Crd(CrdError::Interrupted { .. })
                | Self::Deploy(DeployError::Interrupted)
                | Self::Ask(AskError::Interrupted)
        )
    }
}

/// The failed request among an error and its causes.
fn api_error<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a ApiError> {
    std::iter::successors(Some(error), |error| (*error).source())
        .find_map(|error| error.downcast_ref())
}

/// How a command ended whose results couldn't all be told: as it would have if nobody was left to read
/// them, such as `head` after its first line.
pub fn unless_unread(
    told: Result<(), CommandError>,
    ending: Ending,
) -> Result<Ending, CommandError> {
    match told {
        Err(error) if !error.is_broken_pipe() => Err(error),
        _ => Ok(ending),
    }
}
