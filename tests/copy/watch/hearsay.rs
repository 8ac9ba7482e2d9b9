//! Watches that tell what isn't so: nothing is deleted on their word alone, and what is true is done.

use std::time::Duration;

use k8s_openapi::api::core::v1::Namespace;
use kube::Api;
use serde_json::json;

use super::watched::{begin, ends};
use crate::sandbox::{Fault, Proxy, Running, Sandbox, secret};

const TEAMS: [&str; 2] = ["team-a", "team-b"];

/// A watch that is told what isn't so.
struct Misled {
    sandbox: Sandbox,
    proxy: Proxy,
    running: Running,
    /// The uids of the copies as they are before anything is claimed.
    uids: Vec<Option<String>>,
}

impl Misled {
    /// A watch over rules on standard input.
    async fn over(sandbox: Sandbox, rules: &str) -> Self {
        let (proxy, running) = sandbox.watch_through(rules, |_, _| Fault::None).await;
        Self::at_rest(sandbox, proxy, running).await
    }

    /// A watch over a rule of the cluster.
    async fn over_stored(sandbox: Sandbox) -> Self {
        let proxy = sandbox.proxy(|_, _| Fault::None).await;
        let name = sandbox.name("rule");
        let started = proxy.program(&["sync", "--watch", &name]).start().await;
        let running = begin(started).await;
        Self::at_rest(sandbox, proxy, running).await
    }

    async fn at_rest(sandbox: Sandbox, proxy: Proxy, running: Running) -> Self {
        sandbox.have(Some("x")).await;
        let mut misled = Self {
            sandbox,
            proxy,
            running,
            uids: Vec::new(),
        };
        misled.uids = misled.uids_now().await;
        misled.proxy.idle().await;
        misled.proxy.requests();
        misled
    }

    async fn uids_now(&self) -> Vec<Option<String>> {
        let mut uids = Vec::new();
        for team in TEAMS {
            uids.push(self.sandbox.regcred(team).await.metadata.uid);
        }
        uids
    }

    /// Waits until full passes have begun, of which only the last may still go on, and gives the requests until
    /// then; or until something is deleted.
    async fn passes(&self, count: usize) -> Vec<String> {
        let enough = |requests: &[String]| {
            let begun = requests.iter().filter(|one| is_of_pass(one)).count();
            begun >= count || deletions(requests) > 0
        };
        self.requests_until(enough).await
    }

    /// Waits until this holds of the requests from now on, and gives them.
    async fn requests_until(&self, holds: impl Fn(&[String]) -> bool) -> Vec<String> {
        let mut requests = Vec::new();
        let come = async {
            loop {
                requests.extend(self.proxy.requests());
                if holds(&requests) {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        self.running.until(come).await;
        requests
    }

    /// Asserts that a pass looked into what was claimed, and that nothing was deleted.
    async fn is_not_believed(&self) {
        let requests = self.passes(1).await;
        assert_eq!(deletions(&requests), 0, "{requests:#?}");
    }

    /// Asserts that all copies come to have this password, and are still the ones that there were.
    async fn keeps_its_copies(&self, password: &str) {
        self.sandbox.have(Some(password)).await;
        assert_eq!(self.uids_now().await, self.uids);
        let requests = self.proxy.requests();
        assert_eq!(deletions(&requests), 0, "{requests:#?}");
    }

    /// Asserts that so many copies are deleted, and none before a pass has looked.
    async fn deletes(&self, count: usize) {
        let all_gone = |requests: &[String]| deletions(requests) >= count;
        let requests = self.requests_until(all_gone).await;
        let looked = requests.iter().position(|one| is_of_pass(one));
        let deleted = requests.iter().position(|one| is_deletion(one));
        assert!(looked.is_some() && looked < deleted, "{requests:#?}");
        assert_eq!(deletions(&requests), count, "{requests:#?}");
    }

    /// Stops the watch, which must have left nothing undone.
    async fn ends(self) -> Sandbox {
        ends(self.running).await;
        self.sandbox
    }
}

impl Sandbox {
    /// Waits until all teams have this password, or none has one.
    async fn have(&self, password: Option<&str>) {
        self.eventually_passwords(&TEAMS.map(|team| (team, password)))
            .await;
    }
}

/// Whether a request is one that a pass makes once, and nobody else once all is read.
fn is_of_pass(request: &str) -> bool {
    request.starts_with("GET /api/v1/namespaces?limit=")
}

fn is_deletion(request: &str) -> bool {
    request.starts_with("DELETE ")
}

fn deletions(requests: &[String]) -> usize {
    requests.iter().filter(|one| is_deletion(one)).count()
}

#[tokio::test]
async fn an_original_that_is_said_to_be_gone_keeps_its_copies() {
    let sandbox = Sandbox::with_source("watch-said-original", &TEAMS).await;
    let rule = sandbox.rule();
    let misled = Misled::over(sandbox, &rule).await;
    let sandbox = &misled.sandbox;
    let originals = format!("/{}/secrets?", sandbox.name("source"));
    for value in ["y", "z"] {
        let original = sandbox.regcred("source").await;
        misled.proxy.claim(&originals, "DELETED", &original).await;
        misled.is_not_believed().await;
        sandbox.rotate_regcred(value).await;
        misled.keeps_its_copies(value).await;
    }
    sandbox.delete_secret("source", "regcred").await;
    misled.deletes(TEAMS.len()).await;
    misled.ends().await.is_in_step(&rule).await;
}

#[tokio::test]
async fn copies_that_are_out_of_date_stay_while_their_original_is_said_to_be_gone() {
    let sandbox = Sandbox::with_source("watch-said-outdated", &TEAMS).await;
    let rule = sandbox.rule();
    let misled = Misled::over(sandbox, &rule).await;
    let sandbox = &misled.sandbox;
    // A pass finds something to be done about each copy, and the watch thinks that nobody wants them.
    misled.proxy.swallow_events(true);
    sandbox.rotate_regcred("y").await;
    let original = sandbox.regcred("source").await;
    let originals = format!("/{}/secrets?", sandbox.name("source"));
    misled.proxy.claim(&originals, "DELETED", &original).await;
    let requests = misled.passes(3).await;
    assert_eq!(deletions(&requests), 0, "{requests:#?}");
    misled.keeps_its_copies("x").await;
    misled.proxy.swallow_events(false);
    sandbox.rotate_regcred("z").await;
    misled.keeps_its_copies("z").await;
    misled.ends().await.is_in_step(&rule).await;
}

#[tokio::test]
async fn a_rule_that_is_said_to_be_gone_keeps_its_copies() {
    let sandbox = Sandbox::ruled_with_source("watch-said-rule", &TEAMS).await;
    sandbox.apply_rule(&sandbox.rule()).await;
    let misled = Misled::over_stored(sandbox).await;
    let sandbox = &misled.sandbox;
    let rule = sandbox.stored_rule("rule").await;
    misled
        .proxy
        .claim("/copyratorrules?", "DELETED", &rule)
        .await;
    misled.is_not_believed().await;
    sandbox.rotate_regcred("y").await;
    sandbox
        .apply_rule(&sandbox.rule_and("conflictPolicy: Overwrite"))
        .await;
    misled.keeps_its_copies("y").await;
    sandbox.delete_rule("rule").await;
    misled.deletes(TEAMS.len()).await;
    let sandbox = misled.ends().await;
    sandbox.have(None).await;
}

#[tokio::test]
async fn a_namespace_that_is_said_to_have_left_the_selection_keeps_its_copies() {
    let sandbox = Sandbox::with_source("watch-said-labels", &[]).await;
    for team in TEAMS {
        sandbox.namespace(team, &[("tier", "web")]).await;
    }
    let rule = sandbox.rule_by("{matchLabels: {tier: web}}");
    let misled = Misled::over(sandbox, &rule).await;
    let sandbox = &misled.sandbox;
    let namespaces = Api::<Namespace>::all(sandbox.client.clone());
    let namespace = namespaces.get(&sandbox.name("team-a")).await;
    let mut namespace = namespace.expect("the namespace can be read");
    namespace.metadata.labels = None;
    misled
        .proxy
        .claim("/namespaces?", "MODIFIED", &namespace)
        .await;
    misled.is_not_believed().await;
    let label = json!({"more": "labels"});
    sandbox.relabel_namespace("team-a", label).await;
    sandbox.rotate_regcred("y").await;
    misled.keeps_its_copies("y").await;
    let label = json!({"tier": null});
    sandbox.relabel_namespace("team-a", label).await;
    misled.deletes(1).await;
    let sandbox = misled.ends().await;
    assert_eq!(sandbox.password("team-b").await.as_deref(), Some("y"));
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn what_is_said_to_be_a_copy_that_nobody_wants_stays() {
    let sandbox = Sandbox::with_source("watch-said-copy", &TEAMS).await;
    let theirs = secret("theirs", &[("password", "theirs")]);
    sandbox.create_secret("team-a", &theirs).await;
    let rule = sandbox.rule();
    let misled = Misled::over(sandbox, &rule).await;
    let sandbox = &misled.sandbox;
    let ours = sandbox.regcred("team-a").await.metadata;
    let theirs = sandbox.secret("team-a", "theirs").await;
    let mut claimed = theirs.clone().expect("it was just made");
    claimed.metadata.labels = ours.labels;
    let annotations = ours.annotations.expect("a copy has annotations");
    // A copy's marks say where it belongs.
    let there = |value: String| value.replace("team-a/regcred", "team-a/theirs");
    let annotations = annotations.into_iter();
    let annotations = annotations.map(|(key, value)| (key, there(value)));
    claimed.metadata.annotations = Some(annotations.collect());
    misled
        .proxy
        .claim("/api/v1/secrets?", "ADDED", &claimed)
        .await;
    misled.is_not_believed().await;
    sandbox.rotate_regcred("y").await;
    misled.keeps_its_copies("y").await;
    assert_eq!(sandbox.secret("team-a", "theirs").await, theirs);
    // That is as far as it knows still to be looked into when it ends.
    let ran = misled.running.stop(rustix::process::Signal::INT).await;
    ran.failed_with(130);
    misled.sandbox.is_in_step(&rule).await;
}
