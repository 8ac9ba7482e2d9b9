//! How fast requests go out: retries with growing, scattered delays, the API server's own
//! `Retry-After`, and the end when somebody asks for it.

use std::{cell::Cell, time::Duration};

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{ApiError, Backoff, Failure, Verb};

/// How often a request is sent at most when the API server fails or can't be reached.
const ATTEMPTS: u32 = 6;
/// How often a request is sent at most when the API server asks to come back later, or is away.
const PATIENT_ATTEMPTS: u32 = 30;
/// How long the API server may be away in the middle of a run: it could be starting anew.
const LONGEST_OUTAGE: Duration = Duration::from_secs(30);
const BACKOFF: Backoff = Backoff {
    first: Duration::from_millis(200),
    longest: Duration::from_secs(5),
};
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
    /// Since when no connection comes about.
    away_since: Cell<Option<Instant>>,
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
            away_since: Cell::new(None),
        }
    }

    /// Ends when the run is to stop.
    pub fn cancellation(&self) -> &CancellationToken {
        &self.cancellation
    }

    /// A pace for what must be brought to its end once it was begun: nobody's wish to stop ends it.
    #[must_use]
    pub fn steadfast(&self) -> Self {
        Self {
            cancellation: CancellationToken::new(),
            resume_at: self.resume_at.clone(),
            answered: self.answered.clone(),
            away_since: self.away_since.clone(),
        }
    }

    /// Sends a request until it succeeds, fails for good, or has been tried often enough.
    pub async fn request<T>(
        &self,
        mut attempt: impl AsyncFnMut() -> Result<T, ApiError>,
    ) -> Attempted<T> {
        let mut uncertain = false;
        self.open().await;
        for tried in 1.. {
            let result = attempt().await;
            let may_repeat = matches!(&result, Err(error) if self.is_worth_repeating(error, tried));
            self.note_answer(&result);
            let error = match result {
                Err(error) if may_repeat => error,
                result => return Attempted { result, uncertain },
            };
            uncertain |= error.failure.is_uncertain();
            if !self.wait(&error.failure, tried).await {
                let failure = if uncertain {
                    error.failure
                } else {
                    Failure::Interrupted
                };
                let result = Err(ApiError { failure, ..error });
                return Attempted { result, uncertain };
            }
        }
        unreachable!("the number of attempts is bounded")
    }

    fn note_answer<T>(&self, result: &Result<T, ApiError>) {
        let failure = result.as_ref().err().map(|error| &error.failure);
        if matches!(failure, Some(Failure::NotConnected(_))) {
            let since = self.away_since.get().unwrap_or_else(Instant::now);
            self.away_since.set(Some(since));
        } else {
            self.answered.set(true);
            self.away_since.set(None);
        }
    }

    /// Whether the API server, which was there before, may still come back soon.
    fn may_come_back(&self) -> bool {
        let outage = self.away_since.get().map(|since| since.elapsed());
        self.answered.get() && outage.is_none_or(|outage| outage < LONGEST_OUTAGE)
    }

    fn is_worth_repeating(&self, error: &ApiError, tried: u32) -> bool {
        match &error.failure {
            Failure::Throttled { .. } => tried < PATIENT_ATTEMPTS,
            // A creation has no precondition of ours: the conflict is the server's own, over a quota.
            Failure::Conflict(_) => error.verb == Verb::Create && tried < ATTEMPTS,
            Failure::NotConnected(_) => self.may_come_back() && tried < PATIENT_ATTEMPTS,
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

/// What the API server asked for, or else a delay that doubles.
fn delay(retry_after: Option<Duration>, tried: u32) -> Duration {
    match retry_after {
        Some(asked) => asked.clamp(BACKOFF.first, LONGEST_RETRY_AFTER),
        None => BACKOFF.delay(tried),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REFUSED: fn() -> Failure = || Failure::NotConnected("connection refused".to_owned());

    fn pace() -> Pace {
        Pace::new(CancellationToken::new())
    }

    fn error(failure: Failure) -> ApiError {
        ApiError {
            verb: Verb::Patch,
            subject: "secret/a".to_owned(),
            failure,
        }
    }

    /// Makes a request that always fails, and gives how often it was sent and how long that took.
    async fn fails(pace: &Pace, failure: fn() -> Failure) -> (u32, Duration) {
        let (begun, sent) = (Instant::now(), Cell::new(0));
        let attempted = pace
            .request(async || {
                sent.set(sent.get() + 1);
                Err::<(), _>(error(failure()))
            })
            .await;
        assert_eq!(attempted.result, Err(error(failure())));
        (sent.get(), begun.elapsed())
    }

    async fn succeeds(pace: &Pace) {
        assert!(pace.request(async || Ok(())).await.result.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_that_never_answered_is_not_waited_for() {
        assert_eq!(fails(&pace(), REFUSED).await, (1, Duration::ZERO));
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_goes_away_is_waited_for_once_and_not_by_each_request() {
        let pace = pace();
        succeeds(&pace).await;
        let (sent, waited) = fails(&pace, REFUSED).await;
        assert!(sent > ATTEMPTS, "{sent}");
        let longest = LONGEST_OUTAGE + BACKOFF.longest;
        assert!(waited >= LONGEST_OUTAGE && waited <= longest, "{waited:?}");
        assert_eq!(fails(&pace, REFUSED).await, (1, Duration::ZERO));
        succeeds(&pace).await;
        let (_, waited) = fails(&pace, REFUSED).await;
        assert!(waited >= LONGEST_OUTAGE, "it came back: {waited:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_fails_is_asked_a_few_times() {
        let failure = || Failure::ConnectionLost("cut".to_owned());
        let (sent, waited) = fails(&pace(), failure).await;
        assert_eq!(sent, ATTEMPTS);
        assert!(waited <= Duration::from_secs(7), "{waited:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_busy_server_holds_all_requests_back() {
        let (pace, begun) = (pace(), Instant::now());
        let busy = Cell::new(true);
        let throttled = || Failure::Throttled {
            message: String::new(),
            retry_after: Some(Duration::from_secs(7)),
        };
        let first = pace.request(async || {
            if busy.take() {
                Err(error(throttled()))
            } else {
                Ok(())
            }
        });
        let second = async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            succeeds(&pace).await;
            begun.elapsed()
        };
        let (first, second) = tokio::join!(first, second);
        assert!(first.result.is_ok());
        assert_eq!(second, Duration::from_secs(7));
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_interrupts_a_wait_hears_what_is_known() {
        let lost = || Failure::ConnectionLost("cut".to_owned());
        for (failure, told) in [(REFUSED, Failure::Interrupted), (lost as fn() -> _, lost())] {
            let pace = pace();
            succeeds(&pace).await;
            let request = pace.request(async || Err::<(), _>(error(failure())));
            let interrupt = async { pace.cancellation().cancel() };
            let (attempted, ()) = tokio::join!(request, interrupt);
            assert_eq!(attempted.result, Err(error(told)));
        }
    }
}
