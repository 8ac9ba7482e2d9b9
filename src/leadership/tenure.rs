//! A process that leads: it renews the Lease until it is beaten or fails, and leaves it when its work is done.

use std::ops::ControlFlow;

use tokio::time::{Instant, sleep, timeout_at};

use super::{
    Election, Elector, LeaseRecord, Leases, Stored, Term,
    candidacy::{Claim, is_race},
    elect::Tell,
    term::Deadline,
};
use crate::reconcile::{ApiError, Verb};

/// Why a process leads no more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Loss {
    /// It couldn't renew the Lease in time.
    #[error("the lease couldn't be renewed in time")]
    NotRenewed,
    /// Somebody else has taken the Lease, or was written into it.
    #[error("the lease is held by {0}")]
    TakenBy(String),
}

/// The time in which a process leads, from within.
pub(super) struct Tenure<'a, L> {
    elector: &'a Elector<L>,
    stored: Stored,
    deadline: Deadline,
}

/// Who holds a Lease whose holder was surprised by somebody else's write.
enum Surprise {
    /// It is gone.
    Deleted,
    /// The holder does still, or nobody is named: its own promise stands.
    Kept(Stored),
    /// Somebody else.
    TakenBy(String),
}

impl<'a, L: Leases> Tenure<'a, L> {
    /// The term counts from just before the request was sent that took the Lease: others count from the
    /// moment at which they see it, which is later.
    pub fn begin(elector: &'a Elector<L>, claim: Claim) -> (Self, Term) {
        let end = claim.sent + elector.timing.renew_deadline();
        let (deadline, term) = Term::until(end);
        let tenure = Self {
            elector,
            stored: claim.stored,
            deadline,
        };
        (tenure, term)
    }

    /// Renews the Lease for as long as that goes well.
    pub async fn renew(&mut self, tell: Tell<'_>) -> Loss {
        loop {
            let end = self.deadline.at();
            match timeout_at(end, self.renew_once(tell)).await {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(loss)) => return loss,
                Err(_) => return Loss::NotRenewed,
            }
        }
    }

    async fn renew_once(&mut self, tell: Tell<'_>) -> ControlFlow<Loss> {
        sleep(self.elector.timing.pause()).await;
        match self.write().await {
            Err(error) if is_race(&error.failure) => {}
            written => return self.judge(written, tell).await,
        }
        let surprise = match self.look().await {
            Ok(surprise) => surprise,
            failed => return self.judge(failed.map(|_| true), tell).await,
        };
        let written = match surprise {
            Surprise::TakenBy(holder) => return ControlFlow::Break(Loss::TakenBy(holder)),
            Surprise::Deleted => self.make_anew().await,
            Surprise::Kept(stored) => {
                self.stored = stored;
                self.write().await
            }
        };
        self.judge(written, tell).await
    }

    /// What an attempt means, which gave whether the term lasts. Whoever was beaten twice looks again after
    /// a pause.
    async fn judge(&self, written: Result<bool, ApiError>, tell: Tell<'_>) -> ControlFlow<Loss> {
        match written {
            Ok(true) => ControlFlow::Continue(()),
            Ok(false) => ControlFlow::Break(Loss::NotRenewed),
            Err(error) => {
                if !is_race(&error.failure) {
                    tell(Election::Trouble(&error));
                }
                sleep(error.failure.retry_after().unwrap_or_default()).await;
                ControlFlow::Continue(())
            }
        }
    }

    /// Gives a sign of life; false if it came too late.
    async fn write(&mut self) -> Result<bool, ApiError> {
        let elector = self.elector;
        let record = self.next_record();
        let sent = Instant::now();
        let replacement = elector.leases.replace(&self.stored, &record);
        self.stored = elector.request(Verb::Update, replacement).await?;
        Ok(self.extend(sent))
    }

    /// Makes the Lease again that somebody deleted.
    async fn make_anew(&mut self) -> Result<bool, ApiError> {
        let elector = self.elector;
        let record = self.next_record();
        let sent = Instant::now();
        let creation = elector.leases.create(&record);
        self.stored = elector.request(Verb::Create, creation).await?;
        Ok(self.extend(sent))
    }

    fn next_record(&self) -> LeaseRecord {
        let Elector {
            identity,
            timing,
            wall,
            ..
        } = self.elector;
        self.stored.record.renewed(identity, timing, wall())
    }

    fn extend(&self, sent: Instant) -> bool {
        self.deadline
            .put_off(sent + self.elector.timing.renew_deadline())
    }

    async fn look(&self) -> Result<Surprise, ApiError> {
        let elector = self.elector;
        let found = elector.request(Verb::Get, elector.leases.read()).await?;
        Ok(match found {
            None => Surprise::Deleted,
            Some(stored) => match &stored.record.holder {
                Some(holder) if holder != elector.identity.as_str() => {
                    Surprise::TakenBy(holder.clone())
                }
                _ => Surprise::Kept(stored),
            },
        })
    }

    /// Ends the term; the Lease as it was last known to be.
    pub fn end(self) -> Stored {
        self.stored
    }

    /// Ends the term, and leaves the Lease to whoever stands by. If that fails, they wait until it has
    /// lasted its time.
    pub async fn leave(mut self, tell: Tell<'_>) {
        self.deadline.end();
        match self.write_left().await {
            Ok(()) => return tell(Election::HandedOver),
            Err(error) if is_race(&error.failure) => {}
            Err(error) => return tell(Election::Trouble(&error)),
        }
        // The last renewal may have succeeded without our knowing.
        match self.look().await {
            Ok(Surprise::Kept(stored)) => self.stored = stored,
            Ok(Surprise::Deleted | Surprise::TakenBy(_)) => return,
            Err(error) => return tell(Election::Trouble(&error)),
        }
        match self.write_left().await {
            Ok(()) => tell(Election::HandedOver),
            Err(error) => tell(Election::Trouble(&error)),
        }
    }

    async fn write_left(&self) -> Result<(), ApiError> {
        let elector = self.elector;
        let record = self.stored.record.left((elector.wall)());
        let replacement = elector.leases.replace(&self.stored, &record);
        elector.request(Verb::Update, replacement).await?;
        Ok(())
    }
}
