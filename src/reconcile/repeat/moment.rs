//! A moment by both clocks: what was agreed with the world is due by the wall clock, which may jump; what is
//! waited for here is due by the other one, which stands still while the machine sleeps.

use jiff::Timestamp;
use tokio::time::Instant;

/// A moment by both clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// By the clock that never jumps.
    pub instant: Instant,
    /// By the wall clock.
    pub wall: Timestamp,
}

impl Moment {
    /// This moment.
    pub fn now() -> Self {
        Self {
            instant: Instant::now(),
            wall: Timestamp::now(),
        }
    }
}
