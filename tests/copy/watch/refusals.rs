//! What may not be done for a while: it holds nothing else up, and is done once it may be.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use http::{Method, StatusCode, Uri};
use rustix::process::Signal;

use super::watched::{WATCHES, begin, ends, is_watch};
use crate::{
    copy::rights_people::{Person, apply},
    sandbox::{Fault, PATIENCE, Running, Sandbox},
};

/// Whether a test's refusal is in force.
#[derive(Clone, Default)]
struct Switch(Arc<AtomicBool>);

impl Switch {
    fn on() -> Self {
        Self(Arc::new(true.into()))
    }

    fn turn(&self, on: bool) {
        self.0.store(on, Ordering::SeqCst);
    }

    fn is_on(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// Refuses, while it is on, the requests of which this holds.
    fn refuses(
        &self,
        holds: impl Fn(&Method, &Uri) -> bool + Send + Sync + 'static,
    ) -> impl Fn(&Method, &Uri) -> Fault + Send + Sync + 'static {
        let switch = self.clone();
        move |method, uri| {
            if switch.is_on() && holds(method, uri) {
                Fault::Refuse(StatusCode::FORBIDDEN, "Forbidden", "not today".to_owned())
            } else {
                Fault::None
            }
        }
    }
}

/// How often something is tried at most in this time that is tried again after a second, and then after twice as
/// long each time, or half of that.
fn doublings(time: Duration) -> usize {
    let seconds = usize::try_from(time.as_secs()).expect("a test has an end");
    2 + usize::try_from((2 * seconds + 2).ilog2()).expect("a logarithm is small")
}

#[tokio::test]
async fn a_namespace_that_is_full_delays_no_other_and_has_its_copy_once_there_is_room() {
    let sandbox = Sandbox::with_source("watch-full", &["team-a", "team-b"]).await;
    let other = sandbox.rule_with("Secret", "names: [\"cert-*\"]", "");
    let rules = format!(
        "{}---\n{}",
        sandbox.rule(),
        sandbox.renamed(&other, "other")
    );
    let (full, place) = (Switch::on(), sandbox.name("team-a"));
    let refuses =
        full.refuses(move |method, uri| *method == Method::POST && uri.path().contains(&place));
    let begun = Instant::now();
    let (proxy, running) = sandbox.watch_through(&rules, refuses).await;
    running.says("not today").await;
    // Each of these is a reason to look at all copies, and none to try again what was just refused.
    for number in 0..20 {
        let name = format!("cert-{number}");
        let one = crate::sandbox::secret(&name, &[("key", "value")]);
        sandbox.create_secret("source", &one).await;
        sandbox
            .eventually("team-b", &name, |copy| copy.is_some())
            .await;
    }
    let (requests, place) = (proxy.requests(), sandbox.name("team-a"));
    let attempts = requests
        .iter()
        .filter(|one| one.starts_with("POST ") && one.contains(&place));
    let attempts = attempts.count();
    // Twenty certificates and the other copy are refused once each, and again after twice as long each time.
    let most = 21 * doublings(begun.elapsed());
    assert!(attempts <= most, "{attempts} attempts, not {most}");
    full.turn(false);
    sandbox.eventually_password("team-a", Some("x")).await;
    for number in 0..20 {
        let name = format!("cert-{number}");
        sandbox
            .eventually("team-a", &name, |copy| copy.is_some())
            .await;
    }
    ends(running).await;
    sandbox.sync(&rules).await.succeeded();
}

#[tokio::test]
async fn what_may_not_be_deleted_is_not_tried_all_the_time() {
    let sandbox = Sandbox::with_source("watch-undeletable", &["team-a", "team-b"]).await;
    let rule = sandbox.rule();
    let (locked, place) = (Switch::on(), sandbox.name("team-a"));
    let refuses =
        locked.refuses(move |method, uri| *method == Method::DELETE && uri.path().contains(&place));
    let (proxy, running) = sandbox.watch_through(&rule, refuses).await;
    for team in ["team-a", "team-b"] {
        sandbox.eventually_password(team, Some("x")).await;
    }
    let begun = Instant::now();
    sandbox.delete_secret("source", "regcred").await;
    sandbox.eventually_password("team-b", None).await;
    running.says("not today").await;
    let mut deletions = 0;
    // The one in the other namespace is among them.
    while deletions < 4 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let requests = proxy.requests();
        let new = requests.iter().filter(|one| one.starts_with("DELETE "));
        deletions += new.count();
        let most = 1 + doublings(begun.elapsed());
        assert!(deletions <= most, "{deletions}, not {most}");
        assert!(begun.elapsed() < PATIENCE, "it isn't tried again");
    }
    let told = running.stderr();
    assert_eq!(told.matches("not today").count(), 1, "{told}");
    locked.turn(false);
    sandbox.eventually_password("team-a", None).await;
    ends(running).await;
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn an_original_that_may_not_be_read_any_more_leaves_its_copies_and_is_read_when_it_may_be() {
    let sandbox = Sandbox::with_source("watch-unreadable", &["team-a"]).await;
    let rule = sandbox.rule();
    let (closed, place) = (Switch::default(), sandbox.name("source"));
    let refuses = closed.refuses(move |_, uri| uri.path().contains(&place));
    let (proxy, running) = sandbox.watch_through(&rule, refuses).await;
    sandbox.eventually_password("team-a", Some("x")).await;
    closed.turn(true);
    proxy.cut_watches();
    running.says("nothing is pruned for this rule").await;
    sandbox.delete_secret("team-a", "regcred").await;
    sandbox.rotate_regcred("y").await;
    closed.turn(false);
    sandbox.eventually_password("team-a", Some("y")).await;
    ends(running).await;
    sandbox.is_in_step(&rule).await;
}

/// Whether a request reads copies, of one name or of any.
fn reads_copies(uri: &Uri, with_names: bool) -> bool {
    let query = uri.query().unwrap_or_default();
    let is_of_all = ["/api/v1/secrets", "/api/v1/configmaps"].contains(&uri.path());
    is_of_all && (with_names || !query.contains("fieldSelector="))
}

#[tokio::test]
async fn where_copies_may_be_listed_by_name_alone_they_are_watched_by_name() {
    let sandbox = Sandbox::with_source("watch-by-name", &["team-a", "team-b"]).await;
    let rule = sandbox.rule();
    let closed = Switch::on();
    let refuses = closed.refuses(|_, uri| reads_copies(uri, false));
    let (_proxy, running) = sandbox.watch_through(&rule, refuses).await;
    sandbox.eventually_password("team-a", Some("x")).await;
    sandbox.delete_secret("team-a", "regcred").await;
    sandbox.eventually_password("team-a", Some("x")).await;
    sandbox.delete_secret("source", "regcred").await;
    for team in ["team-a", "team-b"] {
        sandbox.eventually_password(team, None).await;
    }
    ends(running).await;
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn copies_that_may_not_be_listed_are_kept_up_to_date_all_the_same() {
    let sandbox = Sandbox::with_source("watch-unlisted", &["team-a", "team-b"]).await;
    let rule = sandbox.rule();
    let closed = Switch::on();
    let refuses = closed.refuses(|_, uri| reads_copies(uri, true));
    let (proxy, running) = sandbox.watch_through(&rule, refuses).await;
    for value in ["x", "y", "z"] {
        sandbox.rotate_regcred(value).await;
        for team in ["team-a", "team-b"] {
            sandbox.eventually_password(team, Some(value)).await;
        }
    }
    // That the lists are refused once more is no reason to look at all copies.
    let is_single =
        |one: &str| one.contains("regcred") && !is_watch(one) && !one.contains("fieldSelector");
    proxy.rests(Duration::from_secs(5), is_single).await;
    closed.turn(false);
    sandbox.delete_secret("team-a", "regcred").await;
    sandbox.eventually_password("team-a", Some("z")).await;
    ends(running).await;
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn whoever_may_list_and_not_watch_keeps_up_by_listing_now_and_then() {
    let sandbox = Sandbox::with_source("watch-listing", &["team-a"]).await;
    let rule = sandbox.rule();
    let refuses =
        Switch::on().refuses(|_, uri| uri.query().is_some_and(|one| one.contains("watch=1")));
    let (proxy, running) = sandbox.watch_through(&rule, refuses).await;
    sandbox.eventually_password("team-a", Some("x")).await;
    sandbox.rotate_regcred("y").await;
    sandbox.eventually_password("team-a", Some("y")).await;
    let requests = proxy.requests();
    assert!(requests.len() < 150, "{} requests", requests.len());
    let told = running.stderr();
    assert!(!told.contains("is pruned for this rule"), "{told}");
    // A list may be older than what was written meanwhile, and then another look is still to be taken.
    running.stop(Signal::INT).await.failed_with(130);
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn rights_are_taken_away_and_given_back() {
    let sandbox = Sandbox::with_source("watch-rights", &["team-a", "team-b"]).await;
    let person = Person::named(&sandbox, &sandbox.name("watcher")).await;
    let (may, may_not) = (rights(&sandbox, true), rights(&sandbox, false));
    apply(&may);
    person.eventually_may("create", "", "").await;
    let proxy = sandbox.proxy(|_, _| Fault::None).await;
    let rule = sandbox.rule();
    let arguments = ["sync", "--watch", "--as", &person.name, "-f", "-"];
    let running = begin(proxy.program(&arguments).stdin(&rule).start().await).await;
    sandbox.eventually_password("team-a", Some("x")).await;
    apply(&may_not);
    running
        .until(async { while person.may("create", "", "").await {} })
        .await;
    sandbox.namespaces(&["team-c"]).await;
    running.says("is forbidden: User").await;
    apply(&may);
    sandbox.eventually_password("team-c", Some("x")).await;
    ends(running).await;
    sandbox.is_in_step(&rule).await;
}

/// Asserts that a watch says what its user may not do, and what would grant it.
async fn tells_what_is_missing(running: &Running, user: &str) {
    let denial = format!(
        "User \"{user}\" cannot list resource \"namespaces\" in API group \"\" at the cluster scope; trying again"
    );
    let role = "copyrator-list-namespaces";
    let grant = format!(
        "hint: an administrator can allow it: kubectl create clusterrole {role} --verb=list --resource=namespaces && \
         kubectl create clusterrolebinding {role} --clusterrole={role} --user={user}\n"
    );
    running.says(&denial).await.says(&grant).await;
}

#[tokio::test]
async fn whoever_may_do_nothing_is_told_what_is_missing_and_goes_on_once_it_is_granted() {
    let sandbox = Sandbox::with_source("watch-nobody-may", &["team-a"]).await;
    let (rule, user) = (sandbox.rule(), sandbox.name("watcher"));
    let arguments = ["sync", "--watch", "--as", &user, "-f", "-"];
    let running = sandbox.program(&arguments).stdin(&rule).start().await;
    tells_what_is_missing(&running, &user).await;
    let told = running.stderr();
    assert!(!told.contains(WATCHES), "{told}");
    apply(&rights(&sandbox, true));
    running.says(WATCHES).await;
    sandbox.eventually_password("team-a", Some("x")).await;
    ends(running).await;
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn a_watch_that_never_saw_anything_has_not_succeeded() {
    let sandbox = Sandbox::with_source("watch-nobody-ends", &["team-a"]).await;
    let (rule, user) = (sandbox.rule(), sandbox.name("watcher"));
    let start = async |limit: &str| {
        let arguments = ["sync", "--watch", limit, "--as", &user, "-f", "-"];
        let running = sandbox.program(&arguments).stdin(&rule).start().await;
        tells_what_is_missing(&running, &user).await;
        running
    };
    let stopped = start("--timeout=0").await.stop(Signal::TERM).await;
    stopped.failed_with(143).says("nothing done: ");
    let expired = start("--timeout=25s").await.ended().await;
    expired.failed_with(1).says("nothing done: ");
    assert_eq!(sandbox.password("team-a").await, None);
}

/// What a watch needs, with or without the right to make copies.
fn rights(sandbox: &Sandbox, create: bool) -> String {
    let (role, user) = (sandbox.name("writer"), sandbox.name("watcher"));
    let create = if create { ", create" } else { "" };
    format!(
        "apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {{name: {role}}}
rules:
- {{apiGroups: [''], resources: [namespaces, secrets, configmaps], verbs: [get, list, watch]}}
- {{apiGroups: [''], resources: [secrets], verbs: [patch, update, delete{create}]}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {{name: {role}}}
roleRef: {{apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: {role}}}
subjects: [{{apiGroup: rbac.authorization.k8s.io, kind: User, name: '{user}'}}]
"
    )
}
