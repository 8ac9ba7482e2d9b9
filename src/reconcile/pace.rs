//! How fast requests go out: retries with growing, scattered delays, the API server's own
//! `Retry-After`, and the end when somebody asks for it.

use std::{
    cell::Cell,
    hash::{BuildHasher, Hasher, RandomState},
    time::Duration,
};

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{ApiError, Failure};

/// How often a request is sent at most when the API server fails or can't be reached.
const ATTEMPTS: u32 = 6;
/// How often a request is sent at most when the API server asks to come back later.
const THROTTLED_ATTEMPTS: u32 = 30;
const FIRST_DELAY: Duration = Duration::from_millis(200);
const LONGEST_DELAY: Duration = Duration::from_secs(5);
/// A longer `Retry-After` is cut to this: whoever waits at a prompt would rather be told.
const LONGEST_RETRY_AFTER: Duration = Duration::from_mins(1);

/// Shared by all requests of a run.
pub struct Pace {
    cancellation: CancellationToken,
    /// No request goes out before this, because the API server asked for it.
    resume_at: Cell<Option<Instant>>,
    /// Whether the API server has answered at all: before that, a refused connection is most
    /// likely a wrong address, and waiting doesn't help.
    answered: Cell<bool>,
}

/// What came of a request and its repetitions.
pub struct Attempted<T> {
    /// The last answer.
    pub result: Result<T, ApiError>,
    /// Whether an earlier attempt may have taken effect although it failed.
    pub uncertain: bool,
}

impl Pace {
    /// Goes on until `cancellation`.
    pub fn new(cancellation: CancellationToken) -> Self {
        Self {
            cancellation,
            resume_at: Cell::new(None),
            answered: Cell::new(false),
        }
    }

    /// Ends when the run is to stop.
    pub fn cancellation(&self) -> &CancellationToken {
        &self.cancellation
    }

    /// Sends a request until it succeeds, fails for good, or has been tried often enough.
    pub async fn request<T>(
        &self,
        mut attempt: impl AsyncFnMut() -> Result<T, ApiError>,
    ) -> Attempted<T> {
        let mut uncertain = false;
        let mut tried = 0;
        loop {
            let result = attempt().await;
            tried += 1;
            let error = match result {
                Err(error) if self.is_worth_repeating(&error.failure, tried) => error,
                result => {
                    self.note_answer(&result);
                    return Attempted { result, uncertain };
                }
            };
            uncertain |= error.failure.is_uncertain();
            if !self.wait(&error.failure, tried).await {
                return Attempted {
                    result: Err(error),
                    uncertain,
                };
            }
        }
    }

    fn note_answer<T>(&self, result: &Result<T, ApiError>) {
        let no_answer = matches!(
            result,
            Err(ApiError {
                failure: Failure::NotConnected(_),
                ..
            })
        );
        self.answered.set(self.answered.get() || !no_answer);
    }

    fn is_worth_repeating(&self, failure: &Failure, tried: u32) -> bool {
        match failure {
            Failure::Throttled { .. } => tried < THROTTLED_ATTEMPTS,
            Failure::Expired(_) => tried < ATTEMPTS,
            Failure::NotConnected(_) => self.answered.get() && tried < ATTEMPTS,
            failure => failure.is_transient() && tried < ATTEMPTS,
        }
    }

    /// Waits before the next attempt; false when the run is to stop meanwhile.
    async fn wait(&self, failure: &Failure, tried: u32) -> bool {
        let until = Instant::now() + delay(failure.retry_after(), tried);
        if failure.retry_after().is_some() {
            self.resume_at.set(self.resume_at.get().max(Some(until)));
        }
        self.sleep_until(until).await && self.open().await
    }

    /// Waits while the API server wants no requests; false when the run is to stop meanwhile.
    pub async fn open(&self) -> bool {
        while let Some(until) = self.resume_at.get() {
            if until <= Instant::now() {
                self.resume_at.set(None);
            } else if !self.sleep_until(until).await {
                return false;
            }
        }
        !self.cancellation.is_cancelled()
    }

    async fn sleep_until(&self, until: Instant) -> bool {
        tokio::select! {
            () = self.cancellation.cancelled() => false,
            () = tokio::time::sleep_until(until) => true,
        }
    }
}

/// What the API server asked for, or else a delay that doubles, scattered over its upper half so
/// that requests which failed together don't come back together.
fn delay(retry_after: Option<Duration>, tried: u32) -> Duration {
    if let Some(asked) = retry_after {
        return asked.min(LONGEST_RETRY_AFTER);
    }
    let full = FIRST_DELAY
        .saturating_mul(1 << tried.min(10).saturating_sub(1))
        .min(LONGEST_DELAY);
    full.mul_f64(0.5 + 0.5 * random_fraction())
}

/// Between 0 and 1. Every `RandomState` has keys of its own, which is all the chance that's needed.
fn random_fraction() -> f64 {
    let bits = RandomState::new().build_hasher().finish();
    f64::from(u32::try_from(bits >> 32).unwrap_or(u32::MAX)) / f64::from(u32::MAX)
}
