//! Whether a controller lives, and whether it is ready.

use std::{
    collections::BTreeMap,
    future::pending,
    sync::{Mutex, MutexGuard},
    time::Duration,
};

use tokio::time::{Instant, sleep};

/// How often the heart beats.
const BEAT: Duration = Duration::from_secs(2);

/// How long it may stand still. Planning tens of thousands of objects takes a part of this.
const LONGEST_STANDSTILL: Duration = Duration::from_mins(1);

/// Whether a controller lives, and whether it is ready.
#[derive(Debug)]
pub struct Health(Mutex<State>);

#[derive(Debug)]
struct State {
    last_beat: Instant,
    /// What each loop waits for that isn't ready.
    waiting: BTreeMap<&'static str, String>,
}

impl Health {
    /// A process that has just begun: it isn't ready before somebody says so.
    pub fn starting(what: &'static str) -> Self {
        Self(Mutex::new(State {
            last_beat: Instant::now(),
            waiting: BTreeMap::from([(what, "it is starting".to_owned())]),
        }))
    }

    /// Beats for as long as it is polled: beside the work, on the work's thread.
    pub async fn beat(&self) {
        loop {
            self.state().last_beat = Instant::now();
            sleep(BEAT).await;
        }
    }

    /// Beats while something else goes on.
    pub async fn beat_during<T>(&self, work: impl Future<Output = T>) -> T {
        tokio::select! {
            biased;
            done = work => done,
            () = self.beat() => pending().await,
        }
    }

    /// A loop can't work yet, for this reason.
    pub fn is_waiting(&self, what: &'static str, why: &str) {
        self.state().waiting.insert(what, why.to_owned());
    }

    /// A loop works, or isn't asked to.
    pub fn is_ready(&self, what: &'static str) {
        self.state().waiting.remove(what);
    }

    /// Why the process must be taken for dead, if it must.
    pub fn standstill(&self) -> Option<String> {
        let elapsed = self.state().last_beat.elapsed();
        (elapsed > LONGEST_STANDSTILL)
            .then(|| format!("it has stood still for {} s", elapsed.as_secs()))
    }

    /// What isn't ready and why; empty when all is.
    pub fn unready(&self) -> Vec<String> {
        let state = self.state();
        let lines = state.waiting.iter();
        lines.map(|(what, why)| format!("{what}: {why}")).collect()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("no holder panics")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_heart_that_beats_lives() {
        let health = Health::starting("controller");
        let work = sleep(Duration::from_hours(1));
        health.beat_during(work).await;
        assert_eq!(health.standstill(), None);
        sleep(LONGEST_STANDSTILL).await;
        assert_eq!(
            health.standstill().as_deref(),
            Some("it has stood still for 62 s")
        );
    }

    #[test]
    fn all_that_works_must_be_ready() {
        let health = Health::starting("rules");
        health.is_waiting("rates", "there is no definition");
        assert_eq!(
            health.unready(),
            ["rates: there is no definition", "rules: it is starting"]
        );
        health.is_ready("rules");
        health.is_ready("rates");
        assert_eq!(health.unready(), Vec::<String>::new());
    }
}
