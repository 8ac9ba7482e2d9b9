//! Asks again when that may help, after a wait that differs from everybody else's.

use std::{
    hash::{BuildHasher as _, Hasher as _, RandomState},
    time::Duration,
};

use tracing::debug;

use super::{
    exchange::{Asking, Question, Reply},
    trouble::Trouble,
};
use crate::rates::provider::Failure;

/// How often a feed is asked for at the most.
const MOST: u32 = 3;

impl Asking<'_> {
    /// Asks until there is an answer, or no hope of one.
    pub async fn ask_until_answered(
        &self,
        question: &Question<'_>,
        backoff: Duration,
    ) -> Result<Reply, Failure> {
        let mut attempt = 1;
        loop {
            let Trouble { failure, again } = match self.ask(question).await {
                Ok(reply) => return Ok(reply),
                Err(trouble) => trouble,
            };
            let kind = question.source.kind();
            debug!(provider = %kind, attempt, word = %failure, "the provider gave no rates");
            match again {
                Some(least) if attempt < MOST => {
                    let wait = jittered(backoff.saturating_mul(1 << (attempt - 1)), chance());
                    tokio::time::sleep(wait.max(least)).await;
                    attempt += 1;
                }
                _ => return Err(failure),
            }
        }
    }
}

/// From half of a wait to one and a half of it.
fn jittered(wait: Duration, chance: f64) -> Duration {
    wait.mul_f64(0.5 + chance)
}

/// Any number from 0 to 1, enough to keep apart those who begin at the same time.
pub fn chance() -> f64 {
    let random = RandomState::new().build_hasher().finish();
    let upper = u32::try_from(random >> 32).unwrap_or(u32::MAX);
    f64::from(upper) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_differ_within_bounds() {
        let wait = Duration::from_millis(500);
        assert_eq!(jittered(wait, 0.0), Duration::from_millis(250));
        assert_eq!(jittered(wait, 1.0), Duration::from_millis(750));
        let chances: Vec<f64> = (0..100).map(|_| chance()).collect();
        assert!(chances.iter().all(|chance| (0.0..=1.0).contains(chance)));
        assert!(
            chances
                .iter()
                .any(|chance| (chance - chances[0]).abs() > 0.01)
        );
    }
}
