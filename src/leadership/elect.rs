//! An election: a process stands, leads, and stands again, until it is told to stop.

use std::time::Duration;

use jiff::Timestamp;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::{
    Identity, Leases, Sight, Term, Timing,
    tenure::{Loss, Tenure},
};
use crate::reconcile::{ApiError, Failure, Verb};

/// A process that stands for election.
pub struct Elector<L> {
    pub(super) leases: L,
    pub(super) identity: Identity,
    pub(super) timing: Timing,
    pub(super) wall: fn() -> Timestamp,
}

/// What happens in an election, told as it happens.
#[derive(Clone, Debug, PartialEq)]
pub enum Election<'a> {
    /// Somebody else leads.
    StandingBy {
        /// Who.
        holder: &'a str,
    },
    /// Nobody is known to lead, but somebody may still.
    Waiting {
        /// At most so long.
        longest: Duration,
    },
    /// This process leads.
    Leading {
        /// How often the leader has changed before.
        transitions: u32,
    },
    /// This process leads no more, though it would have.
    Lost(Loss),
    /// This process has stopped its work and left the Lease to others.
    HandedOver,
    /// A request failed; it is repeated.
    Trouble(&'a ApiError),
}

/// Hears what happens in an election.
pub(super) type Tell<'a> = &'a mut dyn FnMut(Election<'_>);

impl<L: Leases> Elector<L> {
    /// A process named `identity`. `wall` is the clock that people read on the Lease; nothing is decided
    /// by it.
    pub fn new(leases: L, identity: Identity, timing: Timing, wall: fn() -> Timestamp) -> Self {
        Self {
            leases,
            identity,
            timing,
            wall,
        }
    }

    /// Works whenever it leads: `work` begins with each term, is dropped when the term is lost, and ends the
    /// election when it ends by itself. At `stop`, which `work` must heed, the Lease is renewed until the
    /// work has ended, and is then left to others. Gives what the work gave, or none if it was stopped while
    /// it didn't lead.
    pub async fn run<T>(
        &self,
        stop: &CancellationToken,
        tell: Tell<'_>,
        mut work: impl AsyncFnMut(&Term) -> T,
    ) -> Option<T> {
        let mut sight = Sight::default();
        while let Some(claim) = self.stand(sight, stop, tell).await {
            let transitions = claim.stored.record.transitions;
            let (mut tenure, term) = Tenure::begin(self, claim);
            if stop.is_cancelled() {
                tenure.leave(tell).await;
                break;
            }
            tell(Election::Leading { transitions });
            let end = tokio::select! {
                biased;
                loss = tenure.renew(tell) => Err(loss),
                done = work(&term) => Ok(done),
            };
            match end {
                Ok(done) => {
                    tenure.leave(tell).await;
                    return Some(done);
                }
                Err(loss) => {
                    sight = Sight::of_former_leader(tenure.end());
                    tell(Election::Lost(loss));
                }
            }
        }
        None
    }

    /// A request about the Lease, which isn't waited for much longer than its answer is of use.
    pub(super) async fn request<T>(
        &self,
        verb: Verb,
        request: impl Future<Output = Result<T, ApiError>>,
    ) -> Result<T, ApiError> {
        let patience = self.timing.patience();
        timeout(patience, request).await.unwrap_or_else(|_| {
            let failure = Failure::TimedOut(patience);
            Err(ApiError::on(verb, self.leases.key(), failure))
        })
    }
}
