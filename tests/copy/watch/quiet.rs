//! A watch at rest asks for nothing.

use std::time::Duration;

use serde_json::json;

use super::watched::{ends, is_watch};
use crate::sandbox::{Fault, Sandbox, configmap, secret};

/// How long a watch at rest is listened to.
const LISTENING: Duration = Duration::from_secs(20);

#[tokio::test]
async fn once_all_is_in_step_nothing_is_asked_for_whatever_others_do() {
    let sandbox = Sandbox::with_source("watch-quiet", &["team-a", "team-b"]).await;
    sandbox
        .create_secret("source", &secret("cert-a", &[("key", "a")]))
        .await;
    let globs = sandbox.rule_with("Secret", "names: [\"cert-*\"]", "");
    let globs = sandbox.renamed(&globs, "globs");
    let rules = format!("{}---\n{globs}", sandbox.rule());
    let (proxy, running) = sandbox.watch_through(&rules, |_, _| Fault::None).await;
    for team in ["team-a", "team-b"] {
        sandbox.eventually_password(team, Some("x")).await;
        sandbox
            .eventually(team, "cert-a", |copy| copy.is_some())
            .await;
    }
    // The echo of the last write may still be on its way.
    sandbox.rotate_regcred("y").await;
    for team in ["team-a", "team-b"] {
        sandbox.eventually_password(team, Some("y")).await;
    }
    proxy.idle().await;
    proxy.requests();
    let used = running.processor_time();
    let others = async {
        for number in 0..40 {
            let value = number.to_string();
            let edit = json!({"stringData": {"key": value}});
            if number == 0 {
                for namespace in ["source", "team-a"] {
                    let theirs = secret("theirs", &[("key", "x")]);
                    sandbox.create_secret(namespace, &theirs).await;
                    let theirs = configmap("theirs", &[("key", "x")]);
                    sandbox.create_configmap(namespace, &theirs).await;
                }
            }
            for namespace in ["source", "team-a"] {
                sandbox
                    .patch_secret(namespace, "theirs", "them", edit.clone())
                    .await;
                let label = json!({"unrelated": value});
                sandbox.relabel_namespace(namespace, label).await;
            }
            // An original that is touched and stays what it is.
            let touch = json!({"metadata": {"managedFields": null, "finalizers": null}});
            sandbox
                .patch_secret("source", "regcred", "them", touch)
                .await;
        }
    };
    let ((), ()) = tokio::join!(others, tokio::time::sleep(LISTENING));
    let requests = proxy.requests();
    let others: Vec<_> = requests
        .iter()
        .filter(|request| !is_watch(request))
        .collect();
    assert!(others.is_empty(), "{others:#?}");
    let used = running.processor_time().checked_sub(used).unwrap();
    assert!(used < LISTENING / 4, "{used:?} of processor time at rest");
    ends(running).await;
    sandbox.is_in_step(&rules).await;
}
