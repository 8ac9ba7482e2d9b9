//! What a watch tells of its work, as it goes on.

use std::time::Duration;

use tokio::time::Instant;

use crate::reconcile::{ApiError, Finding, Outcome};

/// Something that follows a watch: the prompt, the metrics.
pub trait Monitor {
    /// Something was brought in step, or not; `waited` is the time since the event that asked for it, if
    /// it was one.
    fn outcome(&mut self, outcome: &Outcome, waited: Option<Duration>);

    /// What a person should know, told once as long as it lasts.
    fn finding(&mut self, finding: &Finding);

    /// How much is queued, and since when the oldest of it waits.
    fn queue(&mut self, depth: usize, oldest: Option<Instant>);

    /// All is read that there is to be read: from now on the watch is in step or working at it.
    fn ready(&mut self);

    /// A watch or a read failed, and is begun anew after `pause`.
    fn trouble(&mut self, error: &ApiError, pause: Duration);

    /// A full pass ended.
    fn pass(&mut self, took: Duration);
}
