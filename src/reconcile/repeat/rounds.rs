//! The loop: waits until somebody is due, and has a run made for all who are.

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
    time::Duration,
};

use futures::{
    FutureExt, StreamExt,
    future::LocalBoxFuture,
    stream::{FuturesUnordered, LocalBoxStream, SelectAll},
};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::{
    Due, Owners, Recurring,
    done::{Done, News},
    editions::{Edition, Editions},
    moment::Moment,
    places::Places,
    timetable::Timetable,
    turns::RUNS_AT_ONCE,
};
use crate::reconcile::{
    Collection, Depth, Domain, Ended, Found, Monitor, Observer, Owner, OwnerKind, Tally,
    WatchOptions, WatchableCluster, fraction, scattered, watch::Change,
};

/// Something that was heard.
pub enum Heard {
    /// Of the owners.
    Owners(Change<(Owner, Edition)>),
    /// Of their objects.
    Objects(Collection, Change<Found>),
}

/// A run that is under way.
pub type Running<'a, D> = LocalBoxFuture<'a, Done<D, <D as Domain>::Error>>;

/// What the runs work with.
pub struct Ground<'a, 'm, R, C> {
    /// Makes the runs' domains.
    pub recurring: &'a R,
    /// Where the objects are.
    pub cluster: &'a C,
    /// How much of each object is read.
    pub depth: Depth,
    /// How it goes about it.
    pub options: WatchOptions,
    /// Ends it all.
    pub cancellation: &'a CancellationToken,
    /// Who follows it.
    pub monitor: RefCell<&'m mut dyn Monitor>,
    /// Reduces the objects that are followed.
    pub observer: RefCell<Observer>,
    /// What the owners are called.
    pub kind: &'static OwnerKind,
}

/// Runs without an end.
pub struct Rounds<'a, 'm, R: Recurring, C> {
    pub(super) ground: &'a Ground<'a, 'm, R, C>,
    pub(super) timetable: Timetable,
    pub(super) editions: Editions,
    pub(super) places: Places,
    pub(super) news: News,
    pub(super) followers: SelectAll<LocalBoxStream<'a, Heard>>,
    /// What ends the follower of each collection.
    pub(super) following: HashMap<Collection, CancellationToken>,
    /// The collections that nothing has been heard of yet.
    pub(super) unanswered: HashSet<Collection>,
    pub(super) runs: FuturesUnordered<Running<'a, R::Domain>>,
    /// Whether a run about everything is under way.
    pub(super) is_full: bool,
    pub(super) full_at: Instant,
    /// No run is begun before this, because the last one came to nothing.
    pub(super) rests_until: Instant,
    pub(super) failures: u32,
    pub(super) is_ready: bool,
    pub(super) tally: Tally,
}

/// Repeats runs until it is cancelled: a full one first and once in a while, and others for those that are
/// due.
pub async fn repeat<R: Recurring, C: WatchableCluster>(
    recurring: &R,
    cluster: &C,
    depth: Depth,
    options: WatchOptions,
    cancellation: &CancellationToken,
    monitor: &mut dyn Monitor,
) -> Ended {
    let probe = recurring.domain(
        Due::Only(std::collections::BTreeSet::new()),
        Moment::now().wall,
    );
    let ground = Ground {
        recurring,
        cluster,
        depth,
        options,
        cancellation,
        monitor: RefCell::new(monitor),
        observer: RefCell::new(Observer::new(probe.owner_kind())),
        kind: probe.owner_kind(),
    };
    let mut rounds = Rounds::new(&ground);
    rounds.follow_owners();
    rounds.follow_objects(probe.collections());
    rounds.run().await;
    rounds.end().await
}

impl<'a, 'm, R: Recurring, C: WatchableCluster> Rounds<'a, 'm, R, C> {
    fn new(ground: &'a Ground<'a, 'm, R, C>) -> Self {
        let now = Instant::now();
        let editions = match ground.recurring.owners() {
            Owners::Fixed(owners) => Editions::Fixed(owners),
            Owners::Followed(_) => Editions::Followed(None),
        };
        let mut timetable = Timetable::new(fraction());
        if let Editions::Fixed(owners) = &editions {
            for owner in owners {
                timetable.admit(owner);
            }
        }
        Self {
            ground,
            timetable,
            editions,
            places: Places::default(),
            news: News::default(),
            followers: SelectAll::new(),
            following: HashMap::new(),
            unanswered: HashSet::new(),
            runs: FuturesUnordered::new(),
            is_full: false,
            full_at: now,
            rests_until: now,
            failures: 0,
            is_ready: false,
            tally: Tally::default(),
        }
    }

    async fn run(&mut self) {
        let cancellation = self.ground.cancellation;
        while !cancellation.is_cancelled() {
            self.begin_runs();
            self.tell_queue();
            let until = self.next();
            tokio::select! {
                () = cancellation.cancelled() => {}
                Some(heard) = self.followers.next() => self.hear_all(heard),
                Some(done) = self.runs.next() => self.finish(done),
                () = sleep_until(until) => {}
            }
        }
    }

    /// What is under way is brought to its end, and nothing new is begun.
    async fn end(mut self) -> Ended {
        let mut not_reached = self.timetable.waiting().0;
        while let Some(done) = self.runs.next().await {
            let waiting = done.since.len();
            not_reached += done.result.as_ref().map_or(waiting, |run| run.not_reached);
            self.finish(done);
        }
        Ended {
            not_reached,
            troubled: self.timetable.troubled(),
            was_ready: self.is_ready,
            tally: self.tally,
        }
    }

    /// Many changes come at once: all that are there are taken in before a run is made for them.
    fn hear_all(&mut self, first: Heard) {
        const AT_ONCE: usize = 512;
        self.hear(first);
        for _ in 1..AT_ONCE {
            match self.followers.next().now_or_never() {
                Some(Some(heard)) => self.hear(heard),
                _ => return,
            }
        }
    }

    fn tell_queue(&self) {
        let (depth, oldest) = self.timetable.waiting();
        self.ground.monitor.borrow_mut().queue(depth, oldest);
    }

    /// When there is something to do although nothing happens.
    fn next(&self) -> Instant {
        let now = Moment::now();
        let never = now.instant + Duration::from_hours(1);
        if !self.may_run() || self.runs.len() >= RUNS_AT_ONCE {
            return never;
        }
        let full = (!self.is_full).then_some(self.full_at);
        let due = self.timetable.next(now).filter(|_| self.is_ready);
        let next = [full, due].into_iter().flatten().fold(never, Instant::min);
        next.max(self.rests_until)
    }

    /// Whether enough is known to begin a run.
    pub(super) fn may_run(&self) -> bool {
        self.editions.are_known() && (self.is_ready || self.unanswered.is_empty())
    }

    /// When the next run about everything is due.
    pub(super) fn next_full(&self) -> Instant {
        Instant::now() + scattered(self.ground.options.resync)
    }
}
