//! Something that doesn't work just now, whatever is tried: it is left alone ever longer.

use std::time::Duration;

use tokio::time::Instant;

use crate::reconcile::Backoff;

const BACKOFF: Backoff = Backoff {
    first: Duration::from_secs(1),
    longest: Duration::from_mins(5),
};

/// Something that may not work just now.
#[derive(Clone, Copy, Debug)]
pub struct Outage {
    failures: u32,
    until: Instant,
    longest: Duration,
}

impl Outage {
    /// It works, for all that is known.
    pub fn new(now: Instant) -> Self {
        Self {
            failures: 0,
            until: now,
            longest: BACKOFF.longest,
        }
    }

    /// The same, of something that is never left alone for longer than this.
    #[must_use]
    pub fn no_longer_than(self, longest: Duration) -> Self {
        Self { longest, ..self }
    }

    /// It has failed. Those that were tried together fail together: only the first one counts, and for it the
    /// pause is told.
    pub fn fail(&mut self, now: Instant) -> Option<Duration> {
        if self.lasts(now) {
            return None;
        }
        self.failures += 1;
        let longest = self.longest;
        let pause = Backoff { longest, ..BACKOFF }.delay(self.failures);
        self.until = now + pause;
        Some(pause)
    }

    /// It has worked.
    pub fn end(&mut self) {
        self.failures = 0;
    }

    /// Until when it is left alone, if it is.
    pub fn until(&self) -> Option<Instant> {
        (self.failures > 0).then_some(self.until)
    }

    /// Whether it is left alone.
    pub fn lasts(&self, now: Instant) -> bool {
        self.until().is_some_and(|until| now < until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn what_fails_again_and_again_is_left_alone_ever_longer() {
        let mut now = Instant::now();
        let mut outage = Outage::new(now).no_longer_than(30 * SECOND);
        assert!(!outage.lasts(now));
        let mut pauses = Vec::new();
        for _ in 0..10 {
            let pause = outage.fail(now).unwrap();
            assert_eq!(outage.fail(now), None, "it is known");
            assert!(outage.lasts(now) && !outage.lasts(now + pause));
            pauses.push(pause);
            now += pause;
        }
        assert!(pauses[0] <= SECOND && pauses[4] >= 8 * SECOND, "{pauses:?}");
        assert!(pauses[9] >= 15 * SECOND && pauses[9] <= 30 * SECOND);
        outage.end();
        assert!(!outage.lasts(now) && outage.until().is_none());
        assert!(outage.fail(now).unwrap() <= SECOND);
    }
}
