//! Originals that change or go while we run: a copy is always of one version, whole.

use std::sync::Arc;

use http::{Method, Uri};
use serde_json::json;

use super::mixed::{ALL_DONE, Mixed, WRITES, once};
use crate::sandbox::{Fault, Sandbox, planted, secret};

/// Changes the original while this request is held.
fn changes(
    mixed: Arc<Mixed>,
    when: impl Fn(&Method, &Uri) -> bool,
    then: bool,
) -> impl Fn(&Method, &Uri) -> Fault {
    once(when, move || {
        let mixed = Arc::clone(&mixed);
        let change = async move {
            let patch = json!({"stringData": {"password": planted("v3")}});
            mixed
                .sandbox
                .patch_secret("source", "regcred", "admin", patch)
                .await;
        };
        if then {
            Fault::then(change)
        } else {
            Fault::after(change)
        }
    })
}

async fn assert_all_are(mixed: &Mixed, version: &str) {
    for team in ["team-kept", "team-new"] {
        assert_eq!(
            mixed.sandbox.password(team).await,
            Some(planted(version)),
            "{team}"
        );
    }
    assert_eq!(mixed.sandbox.password("team-gone").await, None);
}

#[tokio::test]
async fn one_that_changes_after_it_was_read_reaches_its_copies_with_the_next_run() {
    let read =
        |method: &Method, uri: &Uri| method == Method::GET && uri.path().ends_with("/regcred");
    let written = |method: &Method, _: &Uri| WRITES.contains(method);
    let mixed = Arc::new(Mixed::new("version-read").await);
    let (ran, _) = mixed.sync(changes(Arc::clone(&mixed), read, true)).await;
    ran.succeeded().says(ALL_DONE);
    assert_all_are(&mixed, "v2").await;
    mixed
        .sandbox
        .sync(&mixed.rule)
        .await
        .succeeded()
        .says("2 configured in ");
    assert_all_are(&mixed, "v3").await;
    mixed.sandbox.sync(&mixed.rule).await.wrote_nothing();

    let mixed = Arc::new(Mixed::new("version-written").await);
    let arguments = ["--parallelism=1"];
    let (ran, _) = mixed
        .sync_with(&arguments, changes(Arc::clone(&mixed), written, false))
        .await;
    ran.succeeded().says(ALL_DONE);
    assert_all_are(&mixed, "v2").await;
    mixed
        .sandbox
        .sync(&mixed.rule)
        .await
        .succeeded()
        .says("2 configured in ");
    assert_all_are(&mixed, "v3").await;
    mixed.sandbox.sync(&mixed.rule).await.wrote_nothing();
}

/// A Secret of two keys, of which each names the version.
fn pair(version: &str) -> k8s_openapi::api::core::v1::Secret {
    let (user, password) = (format!("user-{version}"), planted(version));
    secret("regcred", &[("user", &user), ("password", &password)])
}

/// The version of a copy, after asserting that all of it is of one.
async fn version_of(sandbox: &Sandbox, namespace: &str) -> String {
    let copy = sandbox.secret(namespace, "regcred").await.expect("a copy");
    for version in ["v1", "v2"] {
        if copy.data == pair(version).data {
            return version.to_owned();
        }
    }
    panic!("the copy in {namespace} is of no version");
}

#[tokio::test]
async fn two_versions_within_one_run_never_make_one_copy() {
    let sandbox = Arc::new(Sandbox::new("version-two").await);
    sandbox
        .namespaces(&["source", "team-got", "team-listed"])
        .await;
    sandbox.create_secret("source", &pair("v1")).await;
    let every = format!("\"{}\"", sandbox.name("team-*"));
    // One rule gets its original by name, the other lists what a glob matches.
    let got = sandbox.rule().replace(&every, &sandbox.name("team-got"));
    let listed = sandbox
        .rule_with("Secret", "names: [\"regc*\"]", "")
        .replace(&every, &sandbox.name("team-listed"))
        .replace(&sandbox.name("rule"), &sandbox.name("rule-by-glob"));
    let rules = format!("{got}---\n{listed}");
    let patched = Arc::clone(&sandbox);
    let change = once(
        |method, uri| method == Method::GET && uri.path().ends_with("/regcred"),
        move || {
            let sandbox = Arc::clone(&patched);
            Fault::then(async move {
                let next = json!({"data": pair("v2").data});
                sandbox
                    .patch_secret("source", "regcred", "admin", next)
                    .await;
            })
        },
    );
    let proxy = sandbox.proxy(change).await;
    let ran = proxy
        .program(&["sync", "-v9", "-f", "-"])
        .stdin(&rules)
        .run()
        .await;
    ran.succeeded().says("2 created in ");
    assert_eq!(version_of(&sandbox, "team-got").await, "v1");
    version_of(&sandbox, "team-listed").await;
    sandbox.sync(&rules).await.succeeded();
    for team in ["team-got", "team-listed"] {
        assert_eq!(version_of(&sandbox, team).await, "v2");
    }
    sandbox.sync(&rules).await.wrote_nothing();
}

#[tokio::test]
async fn one_that_goes_after_it_was_read_takes_its_copies_along_with_the_next_run() {
    let mixed = Arc::new(Mixed::new("version-goes").await);
    let goes = Arc::clone(&mixed);
    let goes = once(
        |method, _| WRITES.contains(method),
        move || {
            let mixed = Arc::clone(&goes);
            Fault::after(async move { mixed.sandbox.delete_secret("source", "regcred").await })
        },
    );
    let (ran, _) = mixed.sync(goes).await;
    ran.succeeded().says(ALL_DONE);
    mixed.is_exact().await;
    mixed
        .sandbox
        .sync(&mixed.rule)
        .await
        .succeeded()
        .says("2 pruned in ");
    mixed.sandbox.sync(&mixed.rule).await.wrote_nothing();
}
