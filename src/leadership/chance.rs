//! Chance, for names that nobody else has and pauses that don't coincide.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Any number. The operating system gives every thread's first `RandomState` its keys, and every further
/// one has others.
pub fn number() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Between 0 and 1.
pub fn fraction() -> f64 {
    f64::from(u32::try_from(number() >> 32).unwrap_or(u32::MAX)) / f64::from(u32::MAX)
}
