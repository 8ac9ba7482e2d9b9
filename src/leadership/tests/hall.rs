//! Candidates that stand for the same Lease, each a process of its own that can die.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    time::Duration,
};

use jiff::{SignedDuration, Timestamp};
use tokio::{
    task::{JoinHandle, LocalSet, spawn_local},
    time::{Instant, sleep},
};
use tokio_util::sync::CancellationToken;

use super::{
    super::{Election, Elector, Identity, Term, Timing},
    store::{Path, Store},
};

/// How long the machines' clocks are apart: more than any lease lasts.
const SKEW: SignedDuration = SignedDuration::from_hours(30);

/// Candidates, and the Lease that they stand for.
pub struct Hall {
    pub store: Rc<Store>,
    terms: Rc<RefCell<Vec<(&'static str, Term)>>>,
    /// How many processes were started.
    entered: Cell<usize>,
}

/// A candidate's process.
pub struct Candidate {
    pub name: &'static str,
    pub path: Path,
    pub stop: CancellationToken,
    /// What it told, in words.
    pub told: Rc<RefCell<Vec<String>>>,
    process: JoinHandle<Option<&'static str>>,
}

/// 15 s, 10 s and 2 s, as by default.
pub fn timing() -> Timing {
    let seconds = Duration::from_secs;
    Timing::new(seconds(15), seconds(10), seconds(2)).unwrap()
}

/// Runs a test in which processes are started.
pub async fn in_hall(test: impl AsyncFnOnce(Hall)) {
    let hall = Hall {
        store: Rc::default(),
        terms: Rc::default(),
        entered: Cell::default(),
    };
    LocalSet::new().run_until(test(hall)).await;
}

pub async fn seconds(count: f64) {
    sleep(Duration::from_secs_f64(count)).await;
}

fn ahead() -> Timestamp {
    Timestamp::UNIX_EPOCH + SKEW * 2
}

fn behind() -> Timestamp {
    Timestamp::UNIX_EPOCH + SKEW
}

impl Hall {
    /// A hall whose Lease exists, and is held by nobody: as it is installed.
    pub fn with_lease(self) -> Self {
        self.store.edit(|_| ());
        self
    }

    /// Starts a candidate. Half of them have a clock that is hours ahead of the others', and all clocks
    /// stand still.
    pub fn enter(&self, name: &'static str) -> Candidate {
        self.enter_by(name, Path::to(&self.store))
    }

    pub fn enter_by(&self, name: &'static str, path: Path) -> Candidate {
        let wall = if name.len().is_multiple_of(2) {
            ahead
        } else {
            behind
        };
        // Nobody has the name of another process, be it the same one's former life.
        self.entered.set(self.entered.get() + 1);
        let identity = match self.entered.get() {
            1..=3 => Identity::from(name),
            count => Identity::from(format!("{name}-{count}").as_str()),
        };
        let elector = Elector::new(path.clone(), identity, timing(), wall);
        let (stop, told) = (
            CancellationToken::new(),
            Rc::<RefCell<Vec<String>>>::default(),
        );
        let process = spawn_local({
            let (stop, told, terms) = (stop.clone(), Rc::clone(&told), Rc::clone(&self.terms));
            async move {
                let mut tell = |election: Election<'_>| told.borrow_mut().push(in_words(&election));
                let work = async |term: &Term| {
                    terms.borrow_mut().push((name, term.clone()));
                    stop.cancelled().await;
                    // What is under way is finished.
                    sleep(Duration::from_millis(700)).await;
                    assert!(term.is_valid(), "{name} works on without a term");
                    name
                };
                elector.run(&stop, &mut tell, work).await
            }
        });
        Candidate {
            name,
            path,
            stop,
            told,
            process,
        }
    }

    /// Whose term is valid now; never more than one.
    pub fn leader(&self) -> Option<&'static str> {
        let mut terms = self.terms.borrow_mut();
        // A term that is over stays over.
        terms.retain(|(_, term)| term.is_valid());
        assert!(terms.len() < 2, "{terms:?}");
        terms.first().map(|(name, _)| *name)
    }

    /// Watches for so long that there is never more than one leader; when each new one began.
    pub async fn observe(&self, time: Duration) -> Vec<(Duration, Option<&'static str>)> {
        let begun = Instant::now();
        let mut leaders = vec![(Duration::ZERO, self.leader())];
        while begun.elapsed() < time {
            sleep(Duration::from_millis(40)).await;
            let leader = self.leader();
            if leaders.last().is_none_or(|(_, last)| *last != leader) {
                leaders.push((begun.elapsed(), leader));
            }
        }
        leaders
    }

    /// How long it takes until another one than `former` leads.
    pub async fn successor(&self, former: Option<&'static str>) -> (Duration, &'static str) {
        let begun = Instant::now();
        loop {
            match self.leader() {
                Some(leader) if Some(leader) != former => return (begun.elapsed(), leader),
                _ => sleep(Duration::from_millis(20)).await,
            }
            assert!(begun.elapsed() < Duration::from_mins(2), "nobody leads");
        }
    }
}

impl Candidate {
    /// The process dies at once.
    pub fn kill(&self) {
        self.process.abort();
    }

    /// The process is asked to end, and does; what its work gave.
    pub async fn end(self) -> Option<&'static str> {
        self.stop.cancel();
        self.process.await.unwrap()
    }

    pub fn told(&self, words: &str) -> bool {
        self.told.borrow().iter().any(|told| told.contains(words))
    }
}

fn in_words(election: &Election<'_>) -> String {
    match election {
        Election::StandingBy { holder } => format!("standing by for {holder}"),
        Election::Waiting { longest } => format!("waiting {}s", longest.as_secs_f64().round()),
        Election::Leading { transitions } => format!("leading after {transitions}"),
        Election::Lost(loss) => format!("lost: {loss}"),
        Election::HandedOver => "handed over".to_owned(),
        Election::Trouble(error) => format!("trouble: {error}"),
    }
}
