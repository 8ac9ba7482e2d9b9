//! Why a command stopped, in kubectl's words.

use std::io;

use crate::{
    cluster::{ConnectError, CrdError, describe_transport},
    output::escape,
    reconcile::{ApiError, Failure},
};

/// What to do about credentials that aren't accepted.
const LOG_IN: &str = "hint: the API server doesn't accept your credentials; log in again, or see which \
                      are used with: kubectl config view --minify";

/// Why a command stopped.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// There is no connection to make.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// A request failed.
    #[error("{}", .0.error)]
    Api(Box<ServerError>),
    /// A definition can't be installed or removed.
    #[error(transparent)]
    Crd(CrdError),
    /// Output can't be written.
    #[error("cannot write: {0}")]
    Output(#[from] io::Error),
    /// Nobody is there to ask.
    #[error("{0}")]
    CannotAsk(String),
    /// Somebody asked us to stop.
    #[error("interrupted{0}")]
    Interrupted(String),
    /// There is no runtime for requests.
    #[error("cannot start: {0}")]
    Runtime(io::Error),
    /// The command isn't there yet.
    #[error("kubectl copyrator {0} is not wired yet")]
    NotWired(&'static str),
}

/// A request that failed, and what it takes to say so.
#[derive(Debug)]
pub struct ServerError {
    /// What failed.
    pub error: ApiError,
    /// The API server's address.
    pub server: String,
    /// What to say about a right that is missing, such as the command that grants it.
    pub grant: Option<String>,
}

impl From<ServerError> for CommandError {
    fn from(error: ServerError) -> Self {
        Self::Api(Box::new(error))
    }
}

impl CommandError {
    /// What to print on standard error, with kubectl's prefix and a line break at the end. Control
    /// characters in what the cluster says are escaped.
    pub fn rendered(&self) -> String {
        let text = match self {
            Self::Api(error) => error.rendered(),
            error => format!("error: {error}"),
        };
        let mut text = escape(&text).into_owned();
        text.push('\n');
        text
    }
}

impl ServerError {
    fn rendered(&self) -> String {
        let error = &self.error;
        if let Some(text) = describe_transport(&error.failure, &self.server) {
            return text;
        }
        let text = match error.failure.reason() {
            Some(reason) => format!("Error from server ({reason}): {error}"),
            None => format!("error: {error}"),
        };
        match (&error.failure, &self.grant) {
            (Failure::Forbidden(_), Some(grant)) => format!("{text}\n{grant}"),
            (Failure::Unauthorized(_), _) => format!("{text}\n{LOG_IN}"),
            _ => text,
        }
    }
}
