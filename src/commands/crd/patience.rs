//! Waits for the cluster: until something holds, a time is over, or the user has had enough.

use std::{pin::pin, time::Duration};

use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::CrdError;
use crate::{
    output::{Streams, escape_line},
    reconcile::ObjectKey,
};

/// A wait that takes longer is told of.
const SILENCE: Duration = Duration::from_secs(1);
/// The first pause between two looks, which doubles each time.
const SHORTEST_PAUSE: Duration = Duration::from_millis(50);
/// The longest pause between two looks.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// How long there is to wait, and who can end it.
pub struct Patience<'a> {
    cancellation: &'a CancellationToken,
    begun: Instant,
    limit: Duration,
}

/// One look at what is waited for.
pub enum Look<T> {
    /// It holds.
    Ready(T),
    /// It doesn't hold yet, and why.
    NotYet(String),
}

/// What is waited for.
pub struct Goal {
    /// What is waited for.
    pub goal: String,
    /// What was done before.
    pub done: String,
}

/// Why a wait ended without its goal.
enum End {
    TimedOut(String),
    Failed(CrdError),
}

impl<'a> Patience<'a> {
    /// Patience from now on, for so long.
    pub fn new(limit: Duration, cancellation: &'a CancellationToken) -> Self {
        Self {
            cancellation,
            begun: Instant::now(),
            limit,
        }
    }

    /// How long it has lasted.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Looks until the goal is reached; a look that fails for the moment only is repeated.
    pub async fn wait<T>(
        &self,
        streams: &mut Streams,
        goal: Goal,
        look: impl AsyncFnMut() -> Result<Look<T>, CrdError>,
    ) -> Result<T, CrdError> {
        let mut looking = pin!(self.cancellation.run_until_cancelled(self.look_again(look)));
        let end = if let Ok(end) = timeout(SILENCE, looking.as_mut()).await {
            end
        } else {
            writeln!(streams.err, "Waiting for {}...", escape_line(&goal.goal))?;
            streams.err.flush()?;
            looking.await
        };
        let Goal { goal, done } = goal;
        match end {
            Some(Ok(reached)) => Ok(reached),
            Some(Err(End::Failed(error))) => Err(error),
            Some(Err(End::TimedOut(why))) => Err(CrdError::TimedOut {
                goal,
                limit: self.limit,
                why,
                done,
            }),
            None => Err(CrdError::Interrupted {
                doing: format!("waiting for {goal}"),
                done,
            }),
        }
    }

    async fn look_again<T>(
        &self,
        mut look: impl AsyncFnMut() -> Result<Look<T>, CrdError>,
    ) -> Result<T, End> {
        let mut pause = SHORTEST_PAUSE;
        loop {
            let left = self.limit.saturating_sub(self.begun.elapsed());
            // Even without any time left one look is taken, and has a moment for its answer.
            let why = match timeout(left.max(SILENCE), look()).await {
                Ok(Ok(Look::Ready(reached))) => return Ok(reached),
                Ok(Ok(Look::NotYet(why))) => why,
                Ok(Err(CrdError::Api(error))) if error.failure.is_transient() => error.to_string(),
                Ok(Err(error)) => return Err(End::Failed(error)),
                Err(_) => "the API server doesn't answer".to_owned(),
            };
            let left = self.limit.saturating_sub(self.begun.elapsed());
            if left.is_zero() {
                return Err(End::TimedOut(why));
            }
            sleep(pause.min(left)).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Reads something, unless the user has had enough.
    pub async fn read<T>(
        &self,
        key: &ObjectKey,
        reading: impl Future<Output = T>,
    ) -> Result<T, CrdError> {
        let read = self.cancellation.run_until_cancelled(reading).await;
        read.ok_or_else(|| CrdError::Interrupted {
            doing: format!("reading {key}"),
            done: "it was not changed".to_owned(),
        })
    }

    /// Lets a write begin, unless the user has had enough.
    pub fn allow(&self, key: &ObjectKey) -> Result<(), CrdError> {
        if self.cancellation.is_cancelled() {
            return Err(CrdError::Interrupted {
                doing: format!("preparing to change {key}"),
                done: "it was not changed".to_owned(),
            });
        }
        Ok(())
    }
}
