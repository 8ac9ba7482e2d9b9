//! When passes come: once in a while, sooner if one is asked for, and after a while if one has failed.

use std::time::Duration;

use tokio::time::Instant;

use crate::reconcile::{ApiError, Backoff, Failure, RunError, scattered};

/// How many times as long as a pass took no other one follows.
const REST: u32 = 4;

/// How long after a pass that failed the next one comes.
const AFTER_FAILURE: Backoff = Backoff {
    first: Duration::from_secs(1),
    longest: Duration::from_mins(5),
};

/// When passes come.
#[derive(Clone, Copy, Debug)]
pub struct Passes {
    /// How long after a regular pass the next one comes.
    resync: Duration,
    at: Instant,
    /// No pass is begun before this, whatever asks for one.
    rests_until: Instant,
    failures: u32,
    /// Whether the last one failed because nobody was there to ask.
    is_cut_off: bool,
    /// Whether the pass that goes on, or the last one, was due whatever had been heard.
    is_regular: bool,
}

impl Passes {
    /// All has just been read.
    pub fn new(now: Instant, resync: Duration) -> Self {
        Self {
            resync,
            at: now + scattered(resync),
            rests_until: now,
            failures: 0,
            is_cut_off: false,
            is_regular: false,
        }
    }

    /// When the next one comes, of which is known only that it must come once in a while.
    pub fn due(&self) -> Instant {
        self.at
    }

    /// When the next one comes if it is asked for.
    pub fn due_soon(&self) -> Instant {
        if self.failures > 0 {
            return self.at;
        }
        self.rests_until.min(self.at)
    }

    /// The same, if it is asked for not before a time.
    pub fn due_if_asked(&self, asked: Instant) -> Instant {
        self.due_soon().max(asked).min(self.at)
    }

    /// One begins.
    pub fn begin(&mut self, now: Instant) {
        self.is_regular = now >= self.at;
    }

    /// Whether the pass that goes on, or the last one, was due whatever had been heard.
    pub fn is_regular(&self) -> bool {
        self.is_regular
    }

    /// One has ended.
    pub fn succeed(&mut self, now: Instant, took: Duration) {
        self.failures = 0;
        self.is_cut_off = false;
        if self.is_regular {
            self.at = now + scattered(self.resync);
        }
        self.rests_until = now + took * REST;
    }

    /// One has failed; how long it takes until the next one.
    pub fn fail<E: std::error::Error>(&mut self, now: Instant, error: &RunError<E>) -> Duration {
        self.failures += 1;
        self.is_cut_off = is_cut_off(error);
        let pause = AFTER_FAILURE.delay(self.failures);
        self.at = now + pause;
        pause
    }

    /// Somebody is there to ask again: what failed for want of that is due at once.
    pub fn resume(&mut self, now: Instant) {
        if self.is_cut_off {
            self.is_cut_off = false;
            self.at = self.at.min(now);
        }
    }
}

fn is_cut_off<E: std::error::Error>(error: &RunError<E>) -> bool {
    matches!(
        error,
        RunError::Api(ApiError {
            failure: Failure::NotConnected(_) | Failure::ConnectionLost(_),
            ..
        })
    )
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::reconcile::Verb;

    const HOUR: Duration = Duration::from_hours(1);
    const SECOND: Duration = Duration::from_secs(1);

    fn failed(failure: Failure) -> RunError<Infallible> {
        RunError::Api(ApiError {
            verb: Verb::List,
            subject: "secrets".to_owned(),
            failure,
        })
    }

    fn away() -> RunError<Infallible> {
        failed(Failure::NotConnected("connection refused".to_owned()))
    }

    #[test]
    fn a_pass_that_was_asked_for_comes_at_once_but_not_one_after_the_other() {
        let now = Instant::now();
        let mut passes = Passes::new(now, HOUR);
        assert!(passes.due() > now + SECOND);
        assert_eq!(passes.due_soon(), now);
        let later = now + SECOND;
        assert_eq!(passes.due_if_asked(later), later);
        passes.begin(now);
        assert!(!passes.is_regular());
        passes.succeed(now, SECOND);
        assert_eq!(passes.due_soon(), now + 4 * SECOND);
        assert_eq!(passes.due_if_asked(later), now + 4 * SECOND);
    }

    #[test]
    fn after_failures_passes_come_ever_more_seldom_even_if_they_are_asked_for() {
        let now = Instant::now();
        let mut passes = Passes::new(now, HOUR);
        let waits: Vec<_> = (0..9).map(|_| passes.fail(now, &away())).collect();
        assert!(waits[0] <= SECOND && waits[8] > 100 * SECOND, "{waits:?}");
        assert_eq!(passes.due_soon(), now + waits[8]);
        assert_eq!(passes.due_if_asked(now), now + waits[8]);
    }

    #[test]
    fn what_an_outage_cut_off_is_due_as_soon_as_it_ends() {
        let now = Instant::now();
        let mut passes = Passes::new(now, HOUR);
        passes.fail(now, &away());
        passes.fail(now, &away());
        passes.resume(now);
        assert_eq!(passes.due(), now);
        assert!(
            passes.fail(now, &away()) > SECOND,
            "it isn't forgotten before one succeeds"
        );
    }

    #[test]
    fn the_end_of_an_outage_helps_only_what_failed_because_of_it() {
        let now = Instant::now();
        let mut passes = Passes::new(now, HOUR);
        let pause = passes.fail(now, &failed(Failure::Malformed("no list".to_owned())));
        passes.resume(now);
        assert_eq!(passes.due(), now + pause);
        passes.begin(now + pause);
        passes.succeed(now + pause, SECOND);
        passes.resume(now + pause);
        assert!(passes.due() > now + pause + SECOND);
    }
}
