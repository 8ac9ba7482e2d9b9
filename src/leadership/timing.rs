//! How long a lease lasts, and how often it is renewed.

use std::time::Duration;

use crate::reconcile::scattered;

/// Nobody waits longer than this for a holder that is gone, whatever its record says.
pub(super) const LONGEST_LEASE: Duration = Duration::from_hours(1);

/// The times of an election, which fit together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    lease_duration: Duration,
    renew_deadline: Duration,
    retry_period: Duration,
}

/// Times that don't fit together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimingError {
    /// A leader would still work when others may take over.
    #[error(
        "the renew deadline ({}s) must be shorter than the lease duration ({}s): a leader must have stopped before another one begins",
        .renew_deadline.as_secs_f64(), .lease_duration.as_secs_f64()
    )]
    RenewDeadline {
        /// What was to be the renew deadline.
        renew_deadline: Duration,
        /// What was to be the lease duration.
        lease_duration: Duration,
    },
    /// A leader wouldn't come to renew its lease.
    #[error(
        "the retry period ({}s) must be shorter than the renew deadline ({}s): a leader must come to renew its lease",
        .retry_period.as_secs_f64(), .renew_deadline.as_secs_f64()
    )]
    RetryPeriod {
        /// What was to be the retry period.
        retry_period: Duration,
        /// What was to be the renew deadline.
        renew_deadline: Duration,
    },
    /// Requests would follow each other without a pause.
    #[error("the retry period must be longer than zero")]
    NoRetryPeriod,
    /// Nobody would take over for hours.
    #[error(
        "the lease duration ({}s) must be at most {}s: nobody takes over from a leader that died before it is up",
        .0.as_secs_f64(), LONGEST_LEASE.as_secs()
    )]
    TooLong(Duration),
}

impl Timing {
    /// Others wait for `lease_duration` after a holder's last sign of life; a holder stops
    /// `renew_deadline` after its last renewal that succeeded, and tries one every `retry_period`.
    pub fn new(
        lease_duration: Duration,
        renew_deadline: Duration,
        retry_period: Duration,
    ) -> Result<Self, TimingError> {
        if retry_period.is_zero() {
            return Err(TimingError::NoRetryPeriod);
        }
        if retry_period >= renew_deadline {
            return Err(TimingError::RetryPeriod {
                retry_period,
                renew_deadline,
            });
        }
        if renew_deadline >= lease_duration {
            return Err(TimingError::RenewDeadline {
                renew_deadline,
                lease_duration,
            });
        }
        if lease_duration > LONGEST_LEASE {
            return Err(TimingError::TooLong(lease_duration));
        }
        Ok(Self {
            lease_duration,
            renew_deadline,
            retry_period,
        })
    }

    /// How long others wait after a holder's last sign of life.
    pub fn lease_duration(&self) -> Duration {
        self.lease_duration
    }

    /// How long after its last renewal a holder works.
    pub fn renew_deadline(&self) -> Duration {
        self.renew_deadline
    }

    /// How often a holder renews, and others look.
    pub fn retry_period(&self) -> Duration {
        self.retry_period
    }

    /// The lease duration as a Lease says it: in whole seconds, of which a part of one makes a whole one.
    pub(super) fn lease_in_seconds(&self) -> Duration {
        let part = u64::from(self.lease_duration.subsec_nanos() > 0);
        Duration::from_secs(self.lease_duration.as_secs() + part)
    }

    /// The time until the next request: at most the retry period, scattered, so that processes that were
    /// started together don't come together.
    pub(super) fn pause(&self) -> Duration {
        let half = self.retry_period / 2;
        half + scattered(half)
    }

    /// How long one request is waited for: a holder has time for a second one.
    pub(super) fn patience(&self) -> Duration {
        self.renew_deadline / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timing(lease: u64, renew: u64, retry: u64) -> Result<Timing, TimingError> {
        let seconds = Duration::from_secs;
        Timing::new(seconds(lease), seconds(renew), seconds(retry))
    }

    #[test]
    fn each_time_is_shorter_than_the_next() {
        assert!(timing(15, 10, 2).is_ok());
        for (lease, renew, retry, complaint) in [
            (
                10,
                10,
                2,
                "the renew deadline (10s) must be shorter than the lease duration (10s)",
            ),
            (
                15,
                2,
                2,
                "the retry period (2s) must be shorter than the renew deadline (2s)",
            ),
            (15, 10, 0, "the retry period must be longer than zero"),
            (
                3601,
                10,
                2,
                "the lease duration (3601s) must be at most 3600s",
            ),
        ] {
            let error = timing(lease, renew, retry).unwrap_err().to_string();
            assert!(error.starts_with(complaint), "{error}");
        }
    }

    #[test]
    fn pauses_are_scattered_and_never_longer_than_the_retry_period() {
        let timing = timing(15, 10, 2).unwrap();
        let pauses: Vec<Duration> = (0..100).map(|_| timing.pause()).collect();
        let longest = Duration::from_secs(2);
        assert!(
            pauses
                .iter()
                .all(|pause| *pause <= longest && *pause >= longest * 3 / 4)
        );
        assert!(pauses.iter().any(|pause| *pause != pauses[0]));
    }
}
