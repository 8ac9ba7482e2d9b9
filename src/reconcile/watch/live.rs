//! The loop: hears what changes, finds what that puts out of step, and has it mended.

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
    future,
    rc::Rc,
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
    ContinuousDomain, Followed, Monitor,
    backlog::Backlog,
    follow::Change,
    objects::Objects,
    outage::Outage,
    pass::Pass,
    passes::Passes,
    queue::{Queue, Turn},
};
use crate::reconcile::{
    ApiError, Collection, Decision, Found, ObjectKey, Observed, Observer, Outcome, Owner, Pace,
    RunError, Scope, Tally, WatchableCluster,
};

/// How long an API server that is away is left alone at most.
const LONGEST_OUTAGE: Duration = Duration::from_secs(30);

/// How a watch goes about its work.
#[derive(Clone, Copy, Debug)]
pub struct WatchOptions {
    /// How many objects are worked on at once.
    pub parallelism: usize,
    /// How long after a full pass the next one comes.
    pub resync: Duration,
}

/// What a watch came to, when it was stopped.
#[derive(Clone, Debug, Default)]
pub struct Ended {
    /// How many objects met which end.
    pub tally: Tally,
    /// How many objects were known to be out of step, and were not come to.
    pub not_reached: usize,
    /// How many objects couldn't be brought in step.
    pub troubled: usize,
    /// Whether so much was ever known that all could be looked at.
    pub was_ready: bool,
}

/// What a watch works with.
pub struct Ground<'a, D, C> {
    /// Where the objects are.
    pub cluster: &'a C,
    /// Retries and cancellation.
    pub pace: &'a Pace,
    /// What should exist.
    pub domain: RefCell<D>,
    /// Reduces the domain's objects.
    pub observer: RefCell<Observer>,
    /// How it goes about it.
    pub options: WatchOptions,
}

/// Something that was heard.
pub enum Heard<F> {
    /// Of the domain's objects.
    Objects(Collection, Change<Found>),
    /// Of what the domain reads.
    Input(Followed, Change<F>),
}

impl<F> Heard<F> {
    /// Whether all that was heard is that nothing can be heard.
    pub fn is_failure(&self) -> bool {
        matches!(
            self,
            Self::Objects(_, Change::Failed { .. }) | Self::Input(_, Change::Failed { .. })
        )
    }
}

/// Something that was done.
pub enum Done<F> {
    /// An object's turn.
    Turn(Turn, Box<Outcome>, Option<Box<Observed>>),
    /// An object was read whole.
    Read(Turn, Result<Option<F>, ApiError>),
}

/// What a chore of the watch ends with.
pub type Chore<'a, T> = Option<LocalBoxFuture<'a, T>>;

/// A watch that goes on.
pub struct Live<'a, D: ContinuousDomain, C> {
    pub(super) ground: &'a Ground<'a, D, C>,
    pub(super) monitor: &'a mut dyn Monitor,
    /// Makes a domain that knows nothing yet.
    pub(super) fresh: &'a dyn Fn() -> D,
    /// The domain's objects as far as they are known.
    pub(super) objects: Objects,
    /// The collections of the domain's objects that have been heard of.
    pub(super) answered: HashSet<Collection>,
    /// Those of them that could be read: of what is written there the watch tells.
    pub(super) listed: HashSet<Collection>,
    pub(super) backlog: Backlog,
    pub(super) reads: Queue,
    pub(super) scope: Option<Rc<Scope>>,
    pub(super) tally: Tally,
    pub(super) followers: SelectAll<LocalBoxStream<'a, Heard<D::Fact>>>,
    pub(super) following_objects: HashMap<Collection, CancellationToken>,
    pub(super) following: HashMap<Followed, CancellationToken>,
    pub(super) in_flight: FuturesUnordered<LocalBoxFuture<'a, Done<D::Fact>>>,
    /// How many turns are under way; the rest in flight are reads.
    pub(super) turns: usize,
    /// How many turns ended before anything was done because the watch is to stop.
    pub(super) interrupted: usize,
    pub(super) outage: Outage,
    /// Anything may be out of step.
    pub(super) replan: bool,
    pub(super) replan_at: Instant,
    pub(super) is_ready: bool,
    pub(super) pass: Chore<'a, Result<Pass, RunError<D::Error>>>,
    pub(super) passes: Passes,
    pub(super) removals: Outage,
    pub(super) statuses: Chore<'a, Vec<(Owner, ApiError)>>,
}

/// Keeps everything in step until it is cancelled. `fresh` makes a domain that knows nothing yet.
pub async fn watch<D: ContinuousDomain, C: WatchableCluster>(
    fresh: &dyn Fn() -> D,
    cluster: &C,
    options: WatchOptions,
    cancellation: &CancellationToken,
    monitor: &mut dyn Monitor,
) -> Ended {
    let domain = fresh();
    let pace = Pace::new(cancellation.clone());
    let ground = Ground {
        cluster,
        pace: &pace,
        observer: RefCell::new(Observer::new(domain.owner_kind())),
        domain: RefCell::new(domain),
        options,
    };
    let mut live = Live::new(&ground, fresh, monitor);
    live.run(cancellation).await;
    live.end().await
}

impl<'a, D: ContinuousDomain, C: WatchableCluster> Live<'a, D, C> {
    fn new(
        ground: &'a Ground<'a, D, C>,
        fresh: &'a dyn Fn() -> D,
        monitor: &'a mut dyn Monitor,
    ) -> Self {
        let now = Instant::now();
        Self {
            ground,
            monitor,
            fresh,
            objects: Objects::default(),
            answered: HashSet::new(),
            listed: HashSet::new(),
            backlog: Backlog::new(now),
            reads: Queue::default(),
            scope: None,
            tally: Tally::default(),
            followers: SelectAll::new(),
            following_objects: HashMap::new(),
            following: HashMap::new(),
            in_flight: FuturesUnordered::new(),
            turns: 0,
            interrupted: 0,
            outage: Outage::new(now).no_longer_than(LONGEST_OUTAGE),
            replan: true,
            replan_at: now,
            is_ready: false,
            pass: None,
            passes: Passes::new(now, ground.options.resync),
            removals: Outage::new(now),
            statuses: None,
        }
    }

    async fn run(&mut self, cancellation: &CancellationToken) {
        self.follow_objects();
        self.follow_inputs();
        while !cancellation.is_cancelled() {
            let now = Instant::now();
            self.plan_anew(now);
            self.begin_reads(now);
            self.begin_turns(now);
            self.begin_chores(now);
            self.backlog.repairs.sweep(now);
            let queue = &self.backlog.queue;
            self.monitor.queue(queue.depth(), queue.oldest());
            let due = self.due();
            tokio::select! {
                () = cancellation.cancelled() => {}
                Some(heard) = self.followers.next() => self.hear_all(heard),
                Some(done) = self.in_flight.next() => self.finish_all(done),
                pass = chore(&mut self.pass) => self.finish_pass(pass),
                failed = chore(&mut self.statuses) => self.finish_statuses(failed),
                () = sleep_until(due) => {}
            }
        }
    }

    /// What is under way is brought to its end, and nothing new is begun.
    async fn end(mut self) -> Ended {
        self.pass = None;
        while let Some(done) = self.in_flight.next().await {
            self.finish(done);
        }
        if let Some(statuses) = self.statuses.take()
            && !statuses.await.is_empty()
        {
            self.backlog.account.touch(Instant::now());
        }
        let not_reached = self.out_of_step() + self.interrupted;
        if not_reached == 0 {
            self.tell_the_rest().await;
        }
        Ended {
            not_reached,
            troubled: self.backlog.account.troubled(),
            was_ready: self.is_ready,
            tally: self.tally,
        }
    }

    /// How many of those that wait are still out of step: another look may have been asked for in vain.
    pub(super) fn out_of_step(&mut self) -> usize {
        let scope = self.scope();
        let waiting = self.backlog.waiting();
        let is_out_of_step = |key: &&ObjectKey| {
            let judgement = self.judge(key, self.objects.get(key), &scope);
            !matches!(
                judgement.decision,
                Decision::Nothing | Decision::Conflict(_) | Decision::Wait
            )
        };
        waiting.filter(is_out_of_step).count()
    }

    /// Many changes come at once: all that are there are taken in before anything is planned.
    pub(super) fn hear_all(&mut self, first: Heard<D::Fact>) {
        const AT_ONCE: usize = 512;
        self.hear(first);
        for _ in 1..AT_ONCE {
            match self.followers.next().now_or_never() {
                Some(Some(heard)) => self.hear(heard),
                _ => return,
            }
        }
    }

    fn finish_all(&mut self, first: Done<D::Fact>) {
        self.finish(first);
        while let Some(Some(done)) = self.in_flight.next().now_or_never() {
            self.finish(done);
        }
    }

    /// When there is something to do although nothing happens.
    fn due(&self) -> Instant {
        let Backlog {
            queue,
            account,
            repairs,
            ..
        } = &self.backlog;
        let now = Instant::now();
        let is_away = self.outage.lasts(now);
        let away = self.outage.until().filter(|_| is_away);
        let turn = queue
            .due()
            .filter(|_| self.has_room() && self.may_begin(now));
        let read = self.reads.due().filter(|_| self.may_read() && !is_away);
        let plan = (self.replan && self.is_informed()).then_some(self.replan_at);
        let pass = (self.is_ready && self.pass.is_none()).then(|| self.pass_due());
        let statuses = account.due(self.is_quiet());
        let statuses = statuses.filter(|_| self.is_ready && self.statuses.is_none());
        let dues = [turn, away, read, plan, pass, statuses, repairs.due()];
        let never = Instant::now() + Duration::from_hours(1);
        dues.into_iter().flatten().fold(never, Instant::min)
    }
}

/// The end of a chore, if there is one.
async fn chore<T>(chore: &mut Chore<'_, T>) -> T {
    let Some(running) = chore else {
        return future::pending().await;
    };
    let end = running.await;
    *chore = None;
    end
}
