//! Keeps the log from saying the same again and again.

use std::{collections::HashMap, time::Duration};

use tokio::time::Instant;

/// Remembers what was said, and for how long it isn't said again.
#[derive(Debug)]
pub struct Repetition {
    pause: Duration,
    said: HashMap<String, Instant>,
}

impl Repetition {
    /// Lets the same be said once in this time.
    pub fn every(pause: Duration) -> Self {
        Self {
            pause,
            said: HashMap::new(),
        }
    }

    /// Whether it is time to say this; it is taken to be said then.
    pub fn is_due(&mut self, message: &str) -> bool {
        let now = Instant::now();
        let pause = self.pause;
        self.said
            .retain(|_, said| now.duration_since(*said) < pause);
        let is_due = !self.said.contains_key(message);
        if is_due {
            self.said.insert(message.to_owned(), now);
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_same_is_said_once_in_a_while() {
        let mut repetition = Repetition::every(Duration::from_mins(1));
        let said = ["a", "b", "a"].map(|message| repetition.is_due(message));
        assert_eq!(said, [true, true, false]);
        tokio::time::sleep(Duration::from_mins(1)).await;
        assert!(repetition.is_due("a"));
    }
}
