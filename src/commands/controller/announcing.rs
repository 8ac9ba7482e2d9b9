//! Has Events published about what the loops do, beside the loops.

use std::{cell::RefCell, time::Duration};

use tokio::{
    sync::Notify,
    time::{Instant, sleep_until},
};
use tokio_util::sync::CancellationToken;
use tracing::warn;

use crate::{
    cluster::Events,
    reconcile::{Announcer, ApiError, Finding, Monitor, Outcome},
    telemetry::Repetition,
};

/// How long the same trouble isn't logged again.
const PATIENCE: Duration = Duration::from_mins(10);

/// What is to be announced, and who wakes up for it.
#[derive(Default)]
pub struct Announcing {
    announcer: RefCell<Announcer>,
    news: Notify,
}

impl Announcing {
    /// Publishes what is to be announced, when it is time, until it is stopped: then the rest at once.
    pub async fn publish(&self, events: &Events, stop: &CancellationToken) {
        let mut troubles = Repetition::every(PATIENCE);
        while !stop.is_cancelled() {
            let due = self.announcer.borrow().due();
            let wait = async {
                match due {
                    Some(due) => sleep_until(due).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.news.notified() => {}
                () = wait => self.publish_due(events, Instant::now(), &mut troubles).await,
            }
        }
        let all = self.announcer.borrow().latest();
        self.publish_due(events, all, &mut troubles).await;
    }

    async fn publish_due(&self, events: &Events, by: Instant, troubles: &mut Repetition) {
        let announcements = self.announcer.borrow_mut().announcements(by);
        for announcement in announcements {
            let Err(error) = events.publish(&announcement).await else {
                continue;
            };
            let error = error.to_string();
            if troubles.is_due(&error) {
                warn!(error, "an Event couldn't be published");
            }
        }
    }
}

/// A monitor whose outcomes are announced, too.
pub struct Announced<'a, M> {
    pub monitor: M,
    pub announcing: &'a Announcing,
}

impl<M: Monitor> Monitor for Announced<'_, M> {
    fn outcome(&mut self, outcome: &Outcome, waited: Option<Duration>) {
        let mut announcer = self.announcing.announcer.borrow_mut();
        announcer.outcome(outcome, Instant::now());
        self.announcing.news.notify_one();
        self.monitor.outcome(outcome, waited);
    }

    fn finding(&mut self, finding: &Finding) {
        self.monitor.finding(finding);
    }

    fn queue(&mut self, depth: usize, oldest: Option<Instant>) {
        self.monitor.queue(depth, oldest);
    }

    fn ready(&mut self) {
        self.monitor.ready();
    }

    fn trouble(&mut self, error: &ApiError, pause: Duration) {
        self.monitor.trouble(error, pause);
    }

    fn pass(&mut self, took: Duration) {
        self.monitor.pass(took);
    }
}
