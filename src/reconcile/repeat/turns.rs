//! Begins runs for those that are due, and takes in what they came to.

use std::{
    collections::{BTreeMap, BTreeSet},
    error::Error,
    time::Duration,
};

use futures::FutureExt;
use tokio::time::Instant;

use super::{
    Due, Prospect, Recurring, Turnout,
    done::Done,
    moment::Moment,
    rounds::Rounds,
    telling::{Telling, Told},
};
use crate::reconcile::{
    ApiError, Backoff, Domain, Extent, Finding, Options, Owner, RunError, Severity,
    WatchableCluster, once,
};

/// How long after a run that came to nothing the next one comes.
const FAILED: Backoff = Backoff {
    first: Duration::from_secs(1),
    longest: Duration::from_mins(5),
};

/// So many runs are under way at once: one that waits for a provider doesn't keep others waiting.
pub const RUNS_AT_ONCE: usize = 4;

type DoneOf<R> = Done<<R as Recurring>::Domain, <<R as Recurring>::Domain as Domain>::Error>;

impl<R: Recurring, C: WatchableCluster> Rounds<'_, '_, R, C> {
    /// Begins a run about everything if one is due, or else one for those that are due.
    pub(super) fn begin_runs(&mut self) {
        let now = Moment::now();
        if !self.may_run() || now.instant < self.rests_until || self.runs.len() >= RUNS_AT_ONCE {
            return;
        }
        if !self.is_full && now.instant >= self.full_at {
            self.is_full = true;
            let resting = self.timetable.resting(now);
            let owners = self.timetable.others(&resting);
            self.begin(owners, Due::Unless(resting), now);
        } else if self.is_ready {
            let owners = self.timetable.due(now);
            if !owners.is_empty() {
                self.begin(owners.clone(), Due::Only(owners), now);
            }
        }
    }

    fn begin(&mut self, owners: BTreeSet<Owner>, due: Due, now: Moment) {
        let since = self.timetable.begin(&owners);
        let ground = self.ground;
        let is_full = matches!(due, Due::Unless(_));
        tracing::debug!(owners = owners.len(), is_full, "a run begins");
        let run = async move {
            let mut domain = ground.recurring.domain(due, now.wall);
            let options = Options {
                parallelism: ground.options.parallelism,
                depth: ground.depth,
                extent: Extent::Everything,
                fail_fast: false,
                check_rights: false,
            };
            let mut telling = Telling::new(&ground.monitor, &since);
            let cancellation = ground.cancellation;
            let run = once(
                &mut domain,
                ground.cluster,
                options,
                cancellation,
                &mut telling,
            );
            let result = run.await;
            let told = telling.told;
            Done {
                owners,
                is_full,
                since,
                domain,
                result,
                told,
                took: now.instant.elapsed(),
            }
        };
        self.runs.push(run.boxed_local());
    }

    /// Takes in what a run came to.
    pub(super) fn finish(&mut self, done: DoneOf<R>) {
        if done.is_full {
            self.is_full = false;
        }
        match done.result {
            Ok(_) => self.succeeded(done),
            Err(ref error) => {
                self.failed(error);
                let now = Instant::now();
                self.timetable.give_back(&done.owners, &done.since, now);
            }
        }
    }

    fn failed(&mut self, error: &RunError<<R::Domain as Domain>::Error>) {
        if matches!(error, RunError::Interrupted) {
            return;
        }
        self.failures += 1;
        let pause = FAILED.delay(self.failures);
        self.rests_until = Instant::now() + pause;
        let cause = match error {
            RunError::Api(error) => Some(error),
            RunError::Domain(error) => error.source().and_then(<dyn Error>::downcast_ref),
            RunError::Interrupted => None,
        };
        let mut monitor = self.ground.monitor.borrow_mut();
        if let Some(cause) = cause {
            return monitor.trouble(cause, pause);
        }
        let finding = Finding {
            severity: Severity::Error,
            owner: None,
            message: error.to_string(),
            cause: None::<ApiError>,
        };
        for finding in self.news.untold(vec![finding], &BTreeSet::new(), true) {
            monitor.finding(&finding);
        }
    }

    fn succeeded(&mut self, mut done: DoneOf<R>) {
        let now = Moment::now();
        self.failures = 0;
        let findings = std::mem::take(&mut done.told.findings);
        let untold = self.news.untold(findings, &done.owners, done.is_full);
        for finding in untold {
            self.ground.monitor.borrow_mut().finding(&finding);
        }
        let prospects = self.ground.recurring.prospects(&mut done.domain, now.wall);
        self.follow_objects(done.domain.collections());
        self.settle(prospects, &done.owners, &done.told, now);
        self.count(&done.told);
        if done.is_full {
            self.full_at = self.next_full();
            self.forget_strangers();
            self.ground.monitor.borrow_mut().pass(done.took);
            if !self.is_ready {
                self.is_ready = true;
                self.ground.monitor.borrow_mut().ready();
            }
        }
    }

    fn settle(
        &mut self,
        prospects: Vec<Prospect>,
        owners: &BTreeSet<Owner>,
        told: &Told,
        now: Moment,
    ) {
        let prospects = prospects.into_iter();
        let mut prospects: BTreeMap<Owner, Prospect> =
            prospects.map(|one| (one.owner.clone(), one)).collect();
        for owner in owners {
            let trouble = told.troubles.get(owner).copied();
            match (prospects.remove(owner), trouble) {
                (Some(prospect), _) => self.settle_one(prospect, told, now),
                // What was its couldn't be removed.
                (None, Some(trouble)) => self.timetable.settle(owner, trouble, None, now),
                // It is there by now, or again: the run was too early for it.
                (None, None) if self.editions.have(owner) => {
                    let turnout = Turnout::Failed(None);
                    self.timetable.settle(owner, turnout, None, now);
                }
                (None, None) => {
                    if self.timetable.dismiss(owner) {
                        self.forget(owner);
                    }
                }
            }
        }
        // Some have come since, and some need nothing yet.
        for prospect in prospects.into_values() {
            if !self.timetable.is_busy(&prospect.owner) {
                self.settle_one(prospect, told, now);
            }
        }
    }

    fn settle_one(&mut self, prospect: Prospect, told: &Told, now: Moment) {
        let Prospect {
            owner,
            turnout,
            next,
            desired,
        } = prospect;
        let trouble = told.troubles.get(&owner).copied();
        let turnout = turnout.or_worse(trouble.unwrap_or(Turnout::Good));
        self.timetable.settle(&owner, turnout, next, now);
        if self.places.settle(&owner, desired, &told.wrote) {
            self.timetable.repair(&owner, now.instant);
        }
    }

    fn count(&mut self, told: &Told) {
        let (all, one) = (&mut self.tally, &told.tally);
        all.created += one.created;
        all.configured += one.configured;
        all.replaced += one.replaced;
        all.unchanged += one.unchanged;
        all.pruned += one.pruned;
        all.orphaned += one.orphaned;
        all.released += one.released;
        all.skipped += one.skipped;
        all.conflicts += one.conflicts;
        all.failed += one.failed;
    }

    fn forget(&mut self, owner: &Owner) {
        self.timetable.forget(owner);
        self.places.forget(owner);
        self.ground.recurring.gone(owner);
    }

    fn forget_strangers(&mut self) {
        let editions = &self.editions;
        for owner in self.timetable.strangers(|owner| editions.have(owner)) {
            self.forget(&owner);
        }
    }
}
