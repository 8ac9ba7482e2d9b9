//! A process that doesn't lead: it looks at the Lease until nobody else may lead, and takes it.

use std::{pin::Pin, time::Duration};

use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::{Election, Elector, Identity, LeaseRecord, Leases, Next, Sight, Stored, elect::Tell};
use crate::reconcile::{ApiError, Failure, Verb};

/// A Lease that this process took.
pub(super) struct Claim {
    /// The Lease as it is now.
    pub stored: Stored,
    /// Just before the request was sent that took it.
    pub sent: Instant,
}

/// A watch that ends when the Lease seems to be held by nobody.
type Vacancy<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

/// What was last told of a wait.
#[derive(Default, PartialEq)]
enum Told {
    #[default]
    Nothing,
    /// Nobody is known to lead.
    Nobody,
    /// Somebody else leads.
    Holder(String),
}

/// What a candidate keeps in mind from one look to the next.
#[derive(Default)]
struct Candidate<'a> {
    sight: Sight,
    told: Told,
    watch: Option<Vacancy<'a>>,
    /// It was just woken by a watch: the next one begins after a pause, whatever ends them.
    woken: bool,
    /// It was just beaten: it looks again at once, but not time after time.
    beaten: bool,
}

impl<L: Leases> Elector<L> {
    /// Waits for the Lease and takes it; none when it is stopped before.
    pub(super) async fn stand(
        &self,
        sight: Sight,
        stop: &CancellationToken,
        tell: Tell<'_>,
    ) -> Option<Claim> {
        let mut candidate = Candidate {
            sight,
            ..Candidate::default()
        };
        loop {
            let read = self.request(Verb::Get, self.leases.read());
            let read = tokio::select! {
                biased;
                () = stop.cancelled() => return None,
                read = read => read,
            };
            let mut wake = Instant::now() + self.timing.pause();
            match self.weigh(read, &mut candidate, tell) {
                Some(Next::WaitUntil(until)) => wake = wake.min(until),
                Some(Next::Create) => match self.create(tell).await {
                    // Nobody else takes it from now on, and nobody leads any more when this has lasted.
                    Ok(stored) => {
                        wake = wake.min(self.reserve(stored, &mut candidate, tell));
                    }
                    Err(race) => wake = candidate.after(race, wake),
                },
                Some(Next::Take(seen)) => match self.take(&seen, tell).await {
                    Ok(claim) => return Some(claim),
                    Err(race) => wake = candidate.after(race, wake),
                },
                None => {}
            }
            tokio::select! {
                biased;
                () = stop.cancelled() => return None,
                () = candidate.wait(&self.leases, wake) => {}
            }
        }
    }

    /// What follows from a look at the Lease; nothing if it failed.
    fn weigh(
        &self,
        read: Result<Option<Stored>, ApiError>,
        candidate: &mut Candidate<'_>,
        tell: Tell<'_>,
    ) -> Option<Next> {
        let now = Instant::now();
        match read {
            Ok(found) => candidate
                .sight
                .note(found, &self.identity, &self.timing, now),
            Err(error) => {
                tell(Election::Trouble(&error));
                return None;
            }
        }
        let next = candidate.sight.next(now);
        if let Next::WaitUntil(until) = next {
            candidate.tell_wait(until - now, &self.identity, tell);
        }
        Some(next)
    }

    /// Notes that this process has made the Lease; when to look again.
    fn reserve(&self, stored: Stored, candidate: &mut Candidate<'_>, tell: Tell<'_>) -> Instant {
        match self.weigh(Ok(Some(stored)), candidate, tell) {
            Some(Next::WaitUntil(until)) => until,
            _ => Instant::now(),
        }
    }

    /// Takes the Lease. It isn't given up halfway: it might succeed.
    async fn take(&self, seen: &Stored, tell: Tell<'_>) -> Result<Claim, Race> {
        let record = self.claim(Some(&seen.record));
        let sent = Instant::now();
        let replacement = self.leases.replace(seen, &record);
        let written = self.request(Verb::Update, replacement).await;
        match written {
            Ok(stored) => Ok(Claim { stored, sent }),
            Err(error) => Err(race(&error, tell)),
        }
    }

    async fn create(&self, tell: Tell<'_>) -> Result<Stored, Race> {
        let record = self.claim(None);
        let created = self
            .request(Verb::Create, self.leases.create(&record))
            .await;
        created.map_err(|error| race(&error, tell))
    }

    fn claim(&self, found: Option<&LeaseRecord>) -> LeaseRecord {
        LeaseRecord::taken(&self.identity, &self.timing, found, (self.wall)())
    }
}

/// Why a Lease couldn't be taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Race {
    /// Somebody wrote it meanwhile.
    Beaten,
    /// The request failed.
    Failed,
}

/// What a failure means; a race that was lost is nobody's trouble.
fn race(error: &ApiError, tell: Tell<'_>) -> Race {
    if is_race(&error.failure) {
        return Race::Beaten;
    }
    tell(Election::Trouble(error));
    Race::Failed
}

/// Whether somebody else made, wrote or deleted the Lease since it was read.
pub(super) fn is_race(failure: &Failure) -> bool {
    matches!(
        failure,
        Failure::Conflict(_) | Failure::AlreadyExists(_) | Failure::NotFound(_)
    )
}

impl<'a> Candidate<'a> {
    /// When to look again after a race that was lost.
    fn after(&mut self, race: Race, wake: Instant) -> Instant {
        let was_beaten = std::mem::replace(&mut self.beaten, race == Race::Beaten);
        if self.beaten && !was_beaten {
            Instant::now()
        } else {
            wake
        }
    }

    fn tell_wait(&mut self, longest: Duration, me: &Identity, tell: Tell<'_>) {
        let others = self
            .sight
            .found()
            .filter(|stored| !stored.record.is_held_by(me));
        let holder = others.and_then(|stored| stored.record.holder.clone());
        let told = holder.map_or(Told::Nobody, Told::Holder);
        if self.told == told {
            return;
        }
        match &told {
            Told::Holder(holder) => tell(Election::StandingBy { holder }),
            _ => tell(Election::Waiting { longest }),
        }
        self.told = told;
    }

    /// Waits for `wake`, or until a watch says that nobody holds the Lease.
    async fn wait<L: Leases>(&mut self, leases: &'a L, wake: Instant) {
        let seen = self
            .sight
            .found()
            .filter(|stored| stored.record.holder.is_some());
        if self.watch.is_none()
            && !self.woken
            && let Some(seen) = seen.cloned()
        {
            self.watch = Some(Box::pin(async move { leases.vacated(&seen).await }));
        }
        let watch = async {
            match &mut self.watch {
                Some(watch) => watch.await,
                None => std::future::pending().await,
            }
        };
        self.woken = tokio::select! {
            biased;
            () = sleep_until(wake) => false,
            () = watch => true,
        };
        if self.woken {
            self.watch = None;
        }
    }
}
