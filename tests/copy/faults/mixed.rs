//! A sync with one of everything, among objects that are somebody else's, and how it must end.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use futures::future::join_all;
use http::{Method, Uri};
use serde_json::json;

use crate::sandbox::{Fault, Proxy, Ran, Sandbox, configmap, planted, secret};

/// A cluster on which the next sync makes a copy in `team-new`, changes the one in `team-kept`, and
/// deletes the one in `team-gone`.
pub struct Mixed {
    pub sandbox: Sandbox,
    pub rule: String,
    foreign: Vec<Option<String>>,
}

/// The three ways to write.
pub const WRITES: [Method; 3] = [Method::POST, Method::PATCH, Method::DELETE];

/// What the sync says that did all of it.
pub const ALL_DONE: &str = "1 created, 1 configured, 1 pruned in ";

const TEAMS: [&str; 3] = ["team-gone", "team-kept", "team-new"];

impl Mixed {
    pub async fn new(prefix: &str) -> Self {
        let sandbox = Sandbox::new(prefix).await;
        sandbox.namespaces(&["source", "bystander"]).await;
        sandbox.namespaces(&TEAMS).await;
        make_foreign_objects(&sandbox).await;
        sandbox.create_regcred(&planted("v1")).await;
        let before = rule_for(&sandbox, &["team-gone", "team-kept"]);
        sandbox.sync(&before).await.succeeded().says("2 created");
        // What somebody else has written to is patched, which can fail in more ways than a PUT.
        let theirs = json!({"metadata": {"labels": {"theirs": "x"}}});
        sandbox
            .patch_secret("team-kept", "regcred", "somebody", theirs)
            .await;
        let patch = json!({"stringData": {"password": planted("v2")}});
        sandbox
            .patch_secret("source", "regcred", "admin", patch)
            .await;
        let rule = rule_for(&sandbox, &["team-kept", "team-new"]);
        let foreign = foreign_versions(&sandbox).await;
        Self {
            sandbox,
            rule,
            foreign,
        }
    }

    /// Syncs as verbosely as can be through a proxy with these faults.
    pub async fn sync(
        &self,
        faults: impl Fn(&Method, &Uri) -> Fault + Send + Sync + 'static,
    ) -> (Ran, Vec<String>) {
        self.sync_with(&[], faults).await
    }

    /// Syncs with more arguments.
    pub async fn sync_with(
        &self,
        arguments: &[&str],
        faults: impl Fn(&Method, &Uri) -> Fault + Send + Sync + 'static,
    ) -> (Ran, Vec<String>) {
        let proxy = self.sandbox.proxy(faults).await;
        let ran = self.run(&proxy, arguments).await;
        (ran, proxy.requests())
    }

    pub async fn run(&self, proxy: &Proxy, arguments: &[&str]) -> Ran {
        let arguments = [&["sync", "-v9", "-f", "-"], arguments].concat();
        proxy.program(&arguments).stdin(&self.rule).run().await
    }

    /// Asserts that nothing has been written yet.
    pub async fn is_as_before(&self) {
        let v1 = planted("v1");
        let expected = [Some(v1.as_str()), Some(&v1), None];
        assert_eq!(
            self.passwords().await,
            expected.map(|value| value.map(str::to_owned))
        );
        self.foreign_is_untouched().await;
    }

    /// Asserts that every copy is as it is to be.
    pub async fn is_exact(&self) {
        let v2 = Some(planted("v2"));
        assert_eq!(self.passwords().await, [None, v2.clone(), v2]);
        self.foreign_is_untouched().await;
    }

    /// Asserts that nothing was lost by what happened so far: a sync without faults ends exact, and
    /// the one after it has nothing to do.
    pub async fn recovers(&self) {
        self.foreign_is_untouched().await;
        assert_eq!(self.sandbox.password("source").await, Some(planted("v2")));
        self.sandbox.sync(&self.rule).await.succeeded();
        self.is_exact().await;
        self.sandbox.sync(&self.rule).await.wrote_nothing();
    }

    async fn passwords(&self) -> [Option<String>; 3] {
        let [gone, kept, new] = TEAMS.map(|team| self.sandbox.password(team));
        tokio::join!(gone, kept, new).into()
    }

    async fn foreign_is_untouched(&self) {
        assert_eq!(foreign_versions(&self.sandbox).await, self.foreign);
    }
}

fn rule_for(sandbox: &Sandbox, teams: &[&str]) -> String {
    let names: Vec<String> = teams.iter().map(|team| sandbox.name(team)).collect();
    let every = format!("\"{}\"", sandbox.name("team-*"));
    sandbox.rule().replace(&every, &names.join(", "))
}

/// Secrets beside the copies, one of the copies' name where the rule doesn't reach, and a ConfigMap of
/// their name where it does.
async fn make_foreign_objects(sandbox: &Sandbox) {
    for team in TEAMS {
        sandbox
            .create_secret(team, &secret("theirs", &[("password", &planted("theirs"))]))
            .await;
    }
    sandbox
        .create_secret(
            "bystander",
            &secret("regcred", &[("password", &planted("theirs"))]),
        )
        .await;
    sandbox
        .create_configmap("team-kept", &configmap("regcred", &[("key", "theirs")]))
        .await;
}

async fn foreign_versions(sandbox: &Sandbox) -> Vec<Option<String>> {
    let secrets = TEAMS.map(|team| (team, "theirs")).into_iter();
    let secrets = secrets.chain([("bystander", "regcred")]);
    let versions = secrets.map(|(namespace, name)| sandbox.version(namespace, name));
    let configmap = sandbox.configmap("team-kept", "regcred").await;
    let configmap = configmap.and_then(|configmap| configmap.metadata.resource_version);
    let mut versions = join_all(versions).await;
    versions.push(configmap);
    assert!(versions.iter().all(Option::is_some), "{versions:?}");
    versions
}

/// Has these faults with the first request of each way to write.
pub fn first_writes(fault: impl Fn() -> Fault) -> impl Fn(&Method, &Uri) -> Fault {
    nth_writes(0, fault)
}

/// Has these faults with every write.
pub fn all_writes(fault: impl Fn() -> Fault) -> impl Fn(&Method, &Uri) -> Fault {
    move |method, _| {
        if WRITES.contains(method) {
            fault()
        } else {
            Fault::None
        }
    }
}

/// Has these faults with one request of each way to write, counted from 0.
pub fn nth_writes(nth: usize, fault: impl Fn() -> Fault) -> impl Fn(&Method, &Uri) -> Fault {
    let seen: [AtomicUsize; 3] = Default::default();
    move |method, _| {
        let write = WRITES.iter().position(|write| write == method);
        let count = write.map(|write| seen[write].fetch_add(1, Ordering::SeqCst));
        if count == Some(nth) {
            fault()
        } else {
            Fault::None
        }
    }
}

/// How many requests of a method came by.
pub fn count(requests: &[String], method: &Method) -> usize {
    let method = format!("{method} ");
    let of_method = requests
        .iter()
        .filter(|request| request.starts_with(&method));
    of_method.count()
}

/// Has a fault the first time that this holds of a request.
pub fn once(
    holds: impl Fn(&Method, &Uri) -> bool,
    fault: impl Fn() -> Fault,
) -> impl Fn(&Method, &Uri) -> Fault {
    let seen = Arc::new(AtomicUsize::new(0));
    move |method, uri| {
        if holds(method, uri) && seen.fetch_add(1, Ordering::SeqCst) == 0 {
            fault()
        } else {
            Fault::None
        }
    }
}
