//! How long is waited before something that failed is tried again.

use std::{
    hash::{BuildHasher, Hasher, RandomState},
    time::Duration,
};

/// Delays that double from one failure to the next, scattered over their upper half so that what failed
/// together doesn't come back together.
#[derive(Clone, Copy, Debug)]
pub struct Backoff {
    /// The delay after the first failure.
    pub first: Duration,
    /// The delay that isn't exceeded.
    pub longest: Duration,
}

impl Backoff {
    /// The delay after so many failures, from 1.
    pub fn delay(self, failures: u32) -> Duration {
        let doubled = failures.min(24).saturating_sub(1);
        let full = self.first.saturating_mul(1 << doubled).min(self.longest);
        scattered(full)
    }
}

/// Somewhere in the upper half of a duration.
pub fn scattered(full: Duration) -> Duration {
    full.mul_f64(0.5 + 0.5 * fraction())
}

/// Any number between 0 and 1. Every `RandomState` has keys of its own, which is all the chance that's needed.
pub fn fraction() -> f64 {
    let bits = RandomState::new().build_hasher().finish();
    f64::from(u32::try_from(bits >> 32).unwrap_or(u32::MAX)) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_the_longest() {
        let backoff = Backoff {
            first: Duration::from_secs(1),
            longest: Duration::from_mins(1),
        };
        for (failures, full) in [(1, 1), (2, 2), (5, 16), (7, 60), (u32::MAX, 60)] {
            let (delay, full) = (backoff.delay(failures), Duration::from_secs(full));
            assert!(delay >= full / 2 && delay <= full, "{failures}: {delay:?}");
        }
    }

    #[test]
    fn delays_are_scattered() {
        let full = Duration::from_secs(1);
        assert_ne!(scattered(full), scattered(full));
    }
}
