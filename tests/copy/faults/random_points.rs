//! Ctrl-C and SIGKILL at a hundred random points of a sync, and the sync after it.

use std::sync::atomic::{AtomicUsize, Ordering};

use http::{Method, Uri};
use k8s_openapi::api::core::v1::Secret;
use kube::{Api, api::ListParams};
use rustix::process::Signal;
use serde_json::json;

use crate::sandbox::{Fault, Process, Ran, Sandbox, planted, secret};

const POINTS: u64 = 100;
/// Another seed draws other points.
const SEED: u64 = 20_260_101;
/// How many namespaces each of the three groups has. From one round to the next, one group loses
/// its copies, one gets others in their place, and one gets its first ones.
const GROUP: usize = 4;
/// Two lists of copies, one of namespaces, and the original; then one write for each namespace.
const REQUESTS: u64 = 4 + 3 * GROUP as u64;

/// When the signal comes, and what becomes of the request that it comes with.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// Before the request is passed on, and it is.
    Before,
    /// Before the request is passed on, and it never is.
    Instead,
    /// Between the request's effect and its answer.
    After,
}

#[derive(Clone, Copy, Debug)]
struct Point {
    round: u64,
    request: usize,
    moment: Moment,
    parallelism: u64,
}

/// Numbers that look random and are the same in every run (`SplitMix64`).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit
    }

    fn pick<T: Copy, const N: usize>(&mut self, choices: [T; N]) -> T {
        let index = self.below(N as u64);
        choices[usize::try_from(index).expect("below N")]
    }

    fn point(&mut self, round: u64, moments: [Moment; 2]) -> Point {
        Point {
            round,
            request: usize::try_from(self.below(REQUESTS)).expect("it is small"),
            moment: self.pick(moments),
            parallelism: self.pick([1, 4, 16]),
        }
    }
}

/// What each of the namespaces holds: the value of its copy, if there is one.
type State = Vec<Option<String>>;

struct Rounds {
    sandbox: Sandbox,
    foreign: Vec<Option<String>>,
}

impl Rounds {
    async fn new(prefix: &str) -> Self {
        let sandbox = Sandbox::new(prefix).await;
        sandbox.namespaces(&["source", "bystander"]).await;
        sandbox.create_regcred(&planted(0)).await;
        let theirs = [("password", planted("theirs"))];
        let theirs = theirs.each_ref().map(|(key, value)| (*key, value.as_str()));
        sandbox
            .create_secret("bystander", &secret("regcred", &theirs))
            .await;
        for team in teams() {
            sandbox.namespace(&team, &[]).await;
            sandbox
                .create_secret(&team, &secret("theirs", &theirs))
                .await;
        }
        sandbox.sync(&rule(&sandbox, 0)).await.succeeded();
        let foreign = foreign_versions(&sandbox).await;
        Self { sandbox, foreign }
    }

    /// Gives the original the value of this round.
    async fn rotate(&self, round: u64) {
        let patch = json!({"stringData": {"password": planted(round)}});
        self.sandbox
            .patch_secret("source", "regcred", "admin", patch)
            .await;
    }

    async fn sync_to(&self, point: Point, signal: Signal) -> Ran {
        let process = Process::default();
        let faults = signalling(point, process.clone(), signal);
        let proxy = self.sandbox.proxy(faults).await;
        let parallelism = format!("--parallelism={}", point.parallelism);
        let ran = proxy
            .program(&["sync", "-v9", "-f", "-", &parallelism])
            .stdin(&rule(&self.sandbox, point.round))
            .known_as(&process)
            .run()
            .await;
        proxy.idle().await;
        ran
    }

    /// What is there now, after asserting that each copy is of the round before, or of this one.
    async fn state(&self, point: Point) -> State {
        let secrets = Api::<Secret>::all(self.sandbox.client.clone());
        let named = ListParams::default().fields("metadata.name=regcred");
        let found = secrets.list(&named).await.expect("Secrets can be listed");
        let value = |team: &String| {
            let namespace = Some(self.sandbox.name(team));
            let mut found = found.items.iter();
            let secret = found.find(|secret| secret.metadata.namespace == namespace)?;
            let value = secret.data.as_ref()?.get("password")?;
            String::from_utf8(value.0.clone()).ok()
        };
        let state: State = teams().iter().map(value).collect();
        let (before, after) = (exact(point.round - 1), exact(point.round));
        for (index, is) in state.iter().enumerate() {
            let allowed = *is == before[index] || *is == after[index];
            assert!(
                allowed,
                "seed {SEED}, {point:?}: {} holds {is:?}",
                teams()[index]
            );
        }
        state
    }

    /// Asserts that a sync that nobody disturbs ends exact.
    async fn recovers(&self, point: Point) {
        let ran = self.sandbox.sync(&rule(&self.sandbox, point.round)).await;
        assert_eq!(ran.code(), 0, "seed {SEED}, {point:?}: {ran:#?}");
        let state = self.state(point).await;
        assert_eq!(state, exact(point.round), "seed {SEED}, {point:?}");
    }

    /// Asserts that in the end all marks are right too, and nothing foreign was touched.
    async fn ends_clean(&self) {
        self.sandbox
            .sync(&rule(&self.sandbox, POINTS))
            .await
            .wrote_nothing();
        assert_eq!(foreign_versions(&self.sandbox).await, self.foreign);
    }
}

fn teams() -> Vec<String> {
    let group = |group: usize| (0..GROUP).map(move |number| format!("team-{group}-{number}"));
    (0..3).flat_map(group).collect()
}

/// The rule of odd rounds leaves out the first group, that of even ones the last.
fn rule(sandbox: &Sandbox, round: u64) -> String {
    let (left, right) = if round.is_multiple_of(2) {
        (0, 1)
    } else {
        (1, 2)
    };
    let every = format!("\"{}\"", sandbox.name("team-*"));
    let groups =
        [left, right].map(|group| format!("\"{}\"", sandbox.name(&format!("team-{group}-*"))));
    sandbox.rule().replace(&every, &groups.join(", "))
}

/// What the namespaces hold once a round is complete.
fn exact(round: u64) -> State {
    let groups = if round.is_multiple_of(2) {
        [true, true, false]
    } else {
        [false, true, true]
    };
    let copy = |wanted: bool| wanted.then(|| planted(round));
    groups
        .into_iter()
        .flat_map(|wanted| std::iter::repeat_n(copy(wanted), GROUP))
        .collect()
}

async fn foreign_versions(sandbox: &Sandbox) -> Vec<Option<String>> {
    let mut versions = vec![sandbox.version("bystander", "regcred").await];
    for team in teams() {
        versions.push(sandbox.version(&team, "theirs").await);
    }
    assert!(versions.iter().all(Option::is_some), "{versions:?}");
    versions
}

fn signalling(point: Point, process: Process, signal: Signal) -> impl Fn(&Method, &Uri) -> Fault {
    let seen = AtomicUsize::new(0);
    move |_, _| {
        if seen.fetch_add(1, Ordering::SeqCst) != point.request {
            return Fault::None;
        }
        let process = process.clone();
        let send = async move { process.signal(signal) };
        match point.moment {
            Moment::Before => Fault::after(send),
            Moment::Instead => Fault::instead(send),
            Moment::After => Fault::then(send),
        }
    }
}

/// The count before this word in the summary.
fn told(ran: &Ran, word: &str) -> usize {
    let summary = ran.stderr.lines().last().unwrap_or_default();
    let counts = summary.split([',', ':', ';']).map(str::trim);
    let mut counts = counts.filter_map(|part| {
        let (count, rest) = part.split_once(' ')?;
        rest.starts_with(word).then(|| count.parse().ok())?
    });
    counts.next().unwrap_or_default()
}

/// Asserts that an interrupted sync told what it did: no more, no less.
fn tells_the_truth(ran: &Ran, point: Point, state: &State) {
    let (before, after) = (exact(point.round - 1), exact(point.round));
    let steps = || before.iter().zip(&after).zip(state);
    let done = |kind: fn(&Option<String>, &Option<String>) -> bool| {
        let done = steps().filter(|((before, after), is)| kind(before, after) && is == after);
        done.count()
    };
    let created = done(|before, after| before.is_none() && after.is_some());
    let configured = done(|before, after| before.is_some() && after.is_some());
    let pruned = done(|before, after| before.is_some() && after.is_none());
    let rest = before.len() - created - configured - pruned;
    let words = ["created", "configured", "pruned", "not reached", "failed"];
    let told = words.map(|word| told(ran, word));
    let context = format!("seed {SEED}, {point:?}: {ran:#?}");
    if ran.stderr.contains("nothing was written") {
        assert_eq!(rest, before.len(), "{context}");
    } else {
        assert_eq!(told, [created, configured, pruned, rest, 0], "{context}");
    }
    assert_eq!(ran.code(), if rest == 0 { 0 } else { 130 }, "{context}");
    for (word, count) in words.into_iter().zip([created, configured, pruned]) {
        let lines = ran
            .stdout
            .lines()
            .filter(|line| line.contains(&format!("regcred {word}")));
        assert_eq!(lines.count(), count, "{word}, {context}");
    }
}

#[tokio::test]
async fn a_sync_that_ctrl_c_ends_anywhere_says_what_it_did_and_is_completed_by_the_next() {
    let rounds = Rounds::new("points-int").await;
    let mut numbers = Numbers(SEED);
    for round in 1..=POINTS {
        let point = numbers.point(round, [Moment::Before, Moment::After]);
        rounds.rotate(round).await;
        let ran = rounds.sync_to(point, Signal::INT).await;
        let state = rounds.state(point).await;
        tells_the_truth(&ran, point, &state);
        rounds.recovers(point).await;
    }
    rounds.ends_clean().await;
}

#[tokio::test]
async fn a_sync_that_is_killed_anywhere_is_completed_by_the_next() {
    let rounds = Rounds::new("points-kill").await;
    let mut numbers = Numbers(SEED);
    for round in 1..=POINTS {
        let moments = numbers.pick([
            [Moment::Before, Moment::After],
            [Moment::Instead, Moment::Instead],
        ]);
        let point = numbers.point(round, moments);
        rounds.rotate(round).await;
        let ran = rounds.sync_to(point, Signal::KILL).await;
        assert!(ran.was_killed(), "seed {SEED}, {point:?}: {ran:#?}");
        rounds.state(point).await;
        rounds.recovers(point).await;
    }
    rounds.ends_clean().await;
}
