//! The time that a run has (`--timeout`), and what it means that it is up.

use std::{cell::Cell, convert::Infallible, future::pending, time::Duration};

use tokio::time::{Instant, sleep_until, timeout_at};
use tokio_util::sync::CancellationToken;

use super::{CommandError, connection::connect_by};
use crate::{
    cli::{KubeFlags, WriteFlags},
    cluster::Connection,
    output::Stopped,
    reconcile::{Run, RunError},
};

/// The time that a run has.
pub struct Limit {
    /// When it is up, if it ever is.
    pub deadline: Option<Instant>,
    /// Stops the run: at an interruption, or when its time is up.
    pub stop: CancellationToken,
    flag: Duration,
    expired: Cell<bool>,
}

impl Limit {
    /// The time that the flags give, from now on.
    pub fn new(flags: &WriteFlags, cancellation: &CancellationToken) -> Self {
        let timeout = Some(flags.timeout).filter(|timeout| !timeout.is_zero());
        Self {
            deadline: timeout.and_then(|timeout| Instant::now().checked_add(timeout)),
            flag: flags.timeout,
            stop: cancellation.child_token(),
            expired: Cell::new(false),
        }
    }

    /// Connects, if there is time enough.
    pub async fn connect(&self, kube: &KubeFlags) -> Result<Connection, CommandError> {
        let Some(deadline) = self.deadline else {
            return Ok(connect_by(kube).await?);
        };
        match timeout_at(deadline, connect_by(kube)).await {
            Ok(connection) => Ok(connection?),
            Err(_) => Err(CommandError::TimedOut(self.flag)),
        }
    }

    /// Stops the run when its time is up.
    pub async fn expire(&self) -> Infallible {
        if let Some(deadline) = self.deadline {
            sleep_until(deadline).await;
            self.expired.set(true);
            self.stop.cancel();
        }
        pending().await
    }

    /// Why a run ended before it began to write.
    pub fn explain<E: std::error::Error + Into<CommandError>>(
        &self,
        error: RunError<E>,
    ) -> CommandError {
        match error {
            RunError::Interrupted if self.expired.get() => CommandError::TimedOut(self.flag),
            error => CommandError::of_run(error),
        }
    }

    /// Why a run left something undone, if it did.
    pub fn stopped(&self, run: &Run) -> Stopped {
        match (run.failed_fast, self.expired.get()) {
            (true, _) => Stopped::FailedFast,
            (false, true) => Stopped::TimedOut,
            (false, false) => Stopped::Interrupted,
        }
    }
}
