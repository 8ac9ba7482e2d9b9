//! Tells of an election: in the log, in the metrics, and to whoever asks for the health.

use std::time::Duration;

use tracing::{info, warn};

use crate::{
    leadership::Election,
    reconcile::ApiError,
    telemetry::{Health, Metrics, Repetition, Telemetry},
};

/// The name under which the controller itself is waited for.
pub const CONTROLLER: &str = "controller";

/// How long the same trouble isn't logged again.
const PATIENCE: Duration = Duration::from_mins(1);

/// Tells of an election.
pub struct ElectionLog<'a> {
    metrics: &'a Metrics,
    health: &'a Health,
    troubles: Repetition,
    /// Whether it is known yet who leads.
    is_settled: bool,
}

impl<'a> ElectionLog<'a> {
    /// Tells by these means.
    pub fn new(telemetry: &'a Telemetry) -> Self {
        Self {
            metrics: &telemetry.metrics,
            health: &telemetry.health,
            troubles: Repetition::every(PATIENCE),
            is_settled: false,
        }
    }

    /// Tells what happened.
    pub fn tell(&mut self, election: &Election<'_>) {
        match election {
            Election::StandingBy { holder } => {
                self.settle(false);
                info!(holder, "standing by");
            }
            Election::Waiting { longest } => {
                self.settle(false);
                let seconds = longest.as_secs_f64();
                info!(
                    seconds,
                    "waiting, in case somebody still leads whose lease was deleted"
                );
            }
            Election::Leading { transitions } => {
                self.settle(true);
                info!(transitions, "leading");
            }
            Election::Lost(loss) => {
                self.settle(false);
                warn!(reason = loss.to_string(), "leading no more");
            }
            Election::HandedOver => {
                self.settle(false);
                info!("handed over");
            }
            Election::Trouble(error) => self.tell_trouble(error),
        }
    }

    /// A replica that stands by is as ready as one that leads: there is nothing more that it should do.
    fn settle(&mut self, leads: bool) {
        self.is_settled = true;
        self.metrics.set_leader(leads);
        self.health.is_ready(CONTROLLER);
    }

    fn tell_trouble(&mut self, error: &ApiError) {
        let message = error.to_string();
        if !self.is_settled {
            self.health.is_waiting(CONTROLLER, &message);
        }
        if self.troubles.is_due(&message) {
            let reason = error.failure.word();
            warn!(
                reason,
                error = message,
                "the lease can't be read or written; it is tried again"
            );
        }
    }
}
