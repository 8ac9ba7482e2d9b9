//! Contenders for a Lease, each with its own way to the API server and its own clock on the wall.

use std::{cell::RefCell, rc::Rc, time::Duration};

use jiff::{SignedDuration, Timestamp};
use k8s_openapi::api::coordination::v1::Lease as LeaseObject;
use kube::{Api, Client};
use kubectl_copyrator::{
    cluster::Lease,
    leadership::{Election, Elector, Identity, Term, Timing},
    reconcile::{Name, Namespace},
};
use tokio::{
    task::{JoinHandle, LocalSet, spawn_local},
    time::{Instant, sleep},
};
use tokio_util::sync::CancellationToken;

use crate::sandbox::Sandbox;

/// The Lease of all tests here, each in a namespace of its own.
pub const LEASE: &str = "election";

/// How long a lease lasts: long enough that a leader on a busy machine doesn't lose it.
pub const LEASE_DURATION: Duration = Duration::from_secs(12);
pub const RENEW_DEADLINE: Duration = Duration::from_secs(9);
pub const RETRY_PERIOD: Duration = Duration::from_secs(1);

/// The clocks of two contenders are twice this apart.
const SKEW: SignedDuration = SignedDuration::from_hours(26);

/// The contenders for one Lease.
pub struct Contest {
    pub sandbox: Sandbox,
    terms: Rc<RefCell<Vec<(usize, Term)>>>,
}

/// One contender's process.
pub struct Contender {
    pub stop: CancellationToken,
    told: Rc<RefCell<Vec<String>>>,
    process: JoinHandle<Option<()>>,
}

/// Runs a test with a namespace of its own, and a Lease that nobody holds.
pub async fn contest(prefix: &str, test: impl AsyncFnOnce(Contest)) {
    let sandbox = Sandbox::new(prefix).await;
    sandbox.namespaces(&["own"]).await;
    let contest = Contest {
        sandbox,
        terms: Rc::default(),
    };
    let lease = LeaseObject {
        metadata: kube::core::ObjectMeta {
            name: Some(LEASE.to_owned()),
            ..Default::default()
        },
        spec: None,
    };
    let made = contest
        .leases()
        .create(&kube::api::PostParams::default(), &lease)
        .await;
    made.expect("the Lease is made");
    LocalSet::new().run_until(test(contest)).await;
}

fn ahead() -> Timestamp {
    Timestamp::now() + SKEW
}

fn behind() -> Timestamp {
    Timestamp::now() - SKEW
}

impl Contest {
    /// The Leases of the test's namespace.
    pub fn leases(&self) -> Api<LeaseObject> {
        self.sandbox.api("own")
    }

    /// Who holds the Lease, if there is one and somebody does.
    pub async fn holder(&self) -> Option<String> {
        let lease = self.leases().get_opt(LEASE).await.expect("it can be read");
        lease?
            .spec?
            .holder_identity
            .filter(|holder| !holder.is_empty())
    }

    /// Starts a contender; every second one has a clock that is days ahead of the others'.
    pub fn enter(&self, number: usize) -> Contender {
        self.enter_as(number, self.sandbox.client.clone())
    }

    pub fn enter_as(&self, number: usize, client: Client) -> Contender {
        let timing = Timing::new(LEASE_DURATION, RENEW_DEADLINE, RETRY_PERIOD).expect("they fit");
        let namespace = Namespace::from(self.sandbox.name("own").as_str());
        let lease = Lease::new(client, None, namespace, Name::from(LEASE));
        let wall = if number.is_multiple_of(2) {
            ahead
        } else {
            behind
        };
        let identity = Identity::from(format!("contender-{number}").as_str());
        let elector = Elector::new(lease, identity, timing, wall);
        let stop = CancellationToken::new();
        let told = Rc::<RefCell<Vec<String>>>::default();
        let process = spawn_local({
            let (stop, told, terms) = (stop.clone(), Rc::clone(&told), Rc::clone(&self.terms));
            async move {
                let mut tell = |news: Election<'_>| told.borrow_mut().push(format!("{news:?}"));
                let work = async |term: &Term| {
                    terms.borrow_mut().push((number, term.clone()));
                    stop.cancelled().await;
                };
                elector.run(&stop, &mut tell, work).await
            }
        });
        Contender {
            stop,
            told,
            process,
        }
    }

    /// Who leads now; never more than one.
    pub fn leader(&self) -> Option<usize> {
        let mut terms = self.terms.borrow_mut();
        terms.retain(|(_, term)| term.is_valid());
        assert!(terms.len() < 2, "two lead at once: {terms:?}");
        terms.first().map(|(number, _)| *number)
    }

    /// How long it takes until another one than `former` leads, and who that is.
    pub async fn successor(&self, former: Option<usize>) -> (Duration, usize) {
        let begun = Instant::now();
        loop {
            match self.leader() {
                Some(leader) if Some(leader) != former => return (begun.elapsed(), leader),
                _ => sleep(Duration::from_millis(5)).await,
            }
            assert!(begun.elapsed() < Duration::from_mins(1), "nobody leads");
        }
    }

    /// Looks for so long; the leaders one after the other.
    pub async fn leaders(&self, time: Duration) -> Vec<Option<usize>> {
        let begun = Instant::now();
        let mut leaders = vec![self.leader()];
        while begun.elapsed() < time {
            sleep(Duration::from_millis(5)).await;
            let leader = self.leader();
            if leaders.last() != Some(&leader) {
                leaders.push(leader);
            }
        }
        leaders
    }
}

impl Contender {
    /// The process dies at once.
    pub fn kill(&self) {
        self.process.abort();
    }

    /// The process is asked to end, and does.
    pub async fn end(self) {
        self.stop.cancel();
        self.process.await.expect("it doesn't panic");
    }

    pub fn told(&self, words: &str) -> bool {
        self.told.borrow().iter().any(|told| told.contains(words))
    }
}
