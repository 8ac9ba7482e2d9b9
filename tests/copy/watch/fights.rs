//! Copies that something else changes each time they are put right: they aren't fought over.

use std::{
    cell::Cell,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::watched::{begin, ends, writes};
use crate::sandbox::{Fault, Proxy, Running, Sandbox};

/// A watch over a rule of the cluster, and another writer that doesn't let the copy in `team-a` be as it should.
struct Fight {
    sandbox: Sandbox,
    proxy: Proxy,
    running: Running,
    /// How often the copy was written by the watch since the fight began.
    written: Cell<usize>,
}

impl Fight {
    async fn new(prefix: &str, arguments: &[&str]) -> Self {
        let sandbox = Sandbox::ruled_with_source(prefix, &["team-a", "team-b"]).await;
        sandbox.apply_rule(&sandbox.rule()).await;
        let proxy = sandbox.proxy(|_, _| Fault::None).await;
        let name = sandbox.name("rule");
        let words = [&["sync", "--watch", &name], arguments].concat();
        let running = begin(proxy.program(&words).start().await).await;
        sandbox.eventually_ready("rule", "InStep").await;
        proxy.requests();
        Self {
            sandbox,
            proxy,
            running,
            written: Cell::new(0),
        }
    }

    fn written(&self) -> usize {
        let path = format!("/namespaces/{}/secrets", self.sandbox.name("team-a"));
        let requests = self.proxy.requests();
        let writes = writes(&requests).into_iter();
        let new = writes.filter(|request| request.contains(&path)).count();
        self.written.set(self.written.get() + new);
        self.written.get()
    }

    /// Puts the copy out of step each time it is in step, for as long as this holds.
    async fn goes_on_while(&self, spoil: impl AsyncFn(), goes_on: impl AsyncFn() -> bool) {
        while goes_on().await {
            if self.sandbox.password("team-a").await.as_deref() == Some("x") {
                spoil().await;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn goes_on_until_written(&self, spoil: impl AsyncFn(), times: usize) {
        self.goes_on_while(spoil, async || self.written() < times)
            .await;
    }

    /// Asserts that after the repairs that are done at once the next ones came 1 s later at the earliest, 2 s after
    /// that one, 4 s after that one, and so on.
    fn was_left_alone_since(&self, begun: Instant) {
        let written = self.written();
        let later = (begun.elapsed().as_secs() + 1).ilog2();
        // The pause had begun before we knew.
        let most = AT_ONCE + 1 + usize::try_from(later).expect("a test has an end");
        assert!(written <= most, "{written} writes, not {most}");
    }

    async fn edit(&self) {
        let edit = json!({"stringData": {"password": "theirs"}});
        self.sandbox
            .patch_secret("team-a", "regcred", "rival", edit)
            .await;
    }

    async fn delete(&self) {
        self.sandbox.delete_secret("team-a", "regcred").await;
    }

    async fn status(&self) -> Value {
        self.sandbox.stored_rule("rule").await["status"].clone()
    }

    async fn is_told(&self) -> bool {
        let status = self.status().await;
        status["conditions"][0]["reason"] == "Conflicts"
            && status["failingNamespaces"][0]["reason"] == "Rewritten"
    }

    /// Once nothing puts it out of step any more, the copy ends as it should be.
    async fn ends(self) {
        self.sandbox.eventually_password("team-a", Some("x")).await;
        self.sandbox.eventually_ready("rule", "InStep").await;
        assert_eq!(self.sandbox.password("team-a").await.as_deref(), Some("x"));
        ends(self.running).await;
        self.sandbox.is_in_step_by_name(&["rule"]).await;
    }
}

/// So many repairs are done at once.
const AT_ONCE: usize = 4;
/// How long the fight goes on when they are.
const WINDOW: Duration = Duration::from_millis(2500);

#[tokio::test]
async fn a_copy_that_is_changed_each_time_it_is_put_right_is_left_alone_for_a_while() {
    // A look at everything is no reason to go on with the fight.
    let fight = Fight::new("watch-fight", &["--resync=1s"]).await;
    let edit = async || fight.edit().await;
    fight.goes_on_until_written(edit, AT_ONCE).await;
    let begun = Instant::now();
    let lasts = async || begun.elapsed() < WINDOW;
    fight.goes_on_while(edit, lasts).await;
    fight.was_left_alone_since(begun);
    fight
        .goes_on_while(edit, async || !fight.is_told().await)
        .await;
    let status = fight.status().await;
    let message = status["conditions"][0]["message"].as_str().unwrap();
    assert!(
        message.contains("something else keeps changing"),
        "{status}"
    );
    assert_eq!(status["copies"]["conflicts"], json!(1), "{status}");
    assert_eq!(status["copies"]["inStep"], json!(1), "{status}");
    let told = "keeps being changed by something else; left alone for a while";
    fight.running.says(told).await;
    fight.sandbox.namespaces(&["team-c"]).await;
    fight.sandbox.eventually_password("team-c", Some("x")).await;
    fight.ends().await;
}

#[tokio::test]
async fn a_changed_original_arrives_at_once_at_a_copy_that_is_left_alone() {
    let fight = Fight::new("watch-fight-new", &[]).await;
    let edit = async || fight.edit().await;
    // From then on the next repair is 16 s away, or more.
    fight.goes_on_until_written(edit, AT_ONCE + 4).await;
    let lasts = async || fight.sandbox.password("team-a").await.as_deref() == Some("x");
    fight.goes_on_while(edit, lasts).await;
    let begun = Instant::now();
    fight.sandbox.rotate_regcred("y").await;
    fight.sandbox.eventually_password("team-a", Some("y")).await;
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(12), "it took {took:?}");
    fight.sandbox.rotate_regcred("x").await;
    fight.ends().await;
}

#[tokio::test]
async fn a_copy_that_is_deleted_again_and_again_is_left_away_for_a_while() {
    let fight = Fight::new("watch-fight-gone", &[]).await;
    let delete = async || fight.delete().await;
    fight.goes_on_until_written(delete, AT_ONCE).await;
    let begun = Instant::now();
    let lasts = async || begun.elapsed() < WINDOW;
    fight.goes_on_while(delete, lasts).await;
    fight.was_left_alone_since(begun);
    fight.ends().await;
}
