//! Namespaces that come and go while we run.

use std::sync::Arc;

use http::Method;
use k8s_openapi::api::core::v1::Namespace;
use kube::{Api, api::DeleteParams};
use serde_json::json;

use super::mixed::{ALL_DONE, Mixed, WRITES, once};
use crate::sandbox::{Fault, Sandbox, planted, secret};

impl Sandbox {
    async fn delete_namespace(&self, name: &str) {
        let namespaces = Api::<Namespace>::all(self.client.clone());
        let (name, parameters) = (self.name(name), DeleteParams::default());
        let deleted = namespaces.delete(&name, &parameters).await;
        deleted.expect("the namespace is deleted");
    }

    async fn hold_namespace(&self, name: &str) {
        self.create_secret(name, &secret("held", &[])).await;
        let hold = json!({"metadata": {"finalizers": ["example.com/hold"]}});
        self.patch_secret(name, "held", "somebody", hold).await;
    }

    async fn release_namespace(&self, name: &str) {
        let release = json!({"metadata": {"finalizers": null}});
        self.patch_secret(name, "held", "somebody", release).await;
    }
}

#[tokio::test]
async fn one_that_comes_while_we_run_gets_its_copy_from_the_next_run() {
    let mixed = Arc::new(Mixed::new("ns-comes").await);
    let kept = mixed.sandbox.name("team-kept");
    let glob = mixed.sandbox.name("team-[kln]*");
    let rule = mixed.rule.replace(&kept, &format!("\"{glob}\""));
    let late = Arc::clone(&mixed);
    let comes = once(
        |_, uri| uri.path() == "/api/v1/namespaces",
        move || {
            let late = Arc::clone(&late);
            Fault::then(async move { late.sandbox.namespaces(&["team-late"]).await })
        },
    );
    let proxy = mixed.sandbox.proxy(comes).await;
    let arguments = ["sync", "-v9", "-f", "-"];
    let ran = proxy.program(&arguments).stdin(&rule).run().await;
    ran.succeeded().says(ALL_DONE);
    mixed.is_exact().await;
    mixed
        .sandbox
        .sync(&rule)
        .await
        .succeeded()
        .says("1 created, ");
    assert_eq!(
        mixed.sandbox.password("team-late").await,
        Some(planted("v2"))
    );
    mixed.sandbox.sync(&rule).await.wrote_nothing();
}

#[tokio::test]
async fn those_that_begin_to_leave_while_we_run_are_passed_over() {
    const TEAMS: [&str; 3] = ["team-new", "team-kept", "team-gone"];
    let mixed = Arc::new(Mixed::new("ns-leave").await);
    for team in TEAMS {
        mixed.sandbox.hold_namespace(team).await;
    }
    let leaving = Arc::clone(&mixed);
    let arguments = ["--parallelism=1"];
    let leave = once(
        |method, _| WRITES.contains(method),
        move || {
            let leaving = Arc::clone(&leaving);
            Fault::after(async move {
                for team in TEAMS {
                    leaving.sandbox.delete_namespace(team).await;
                }
                for team in TEAMS {
                    leaving.sandbox.eventually_gone(team, "regcred").await;
                    leaving.sandbox.eventually_gone(team, "theirs").await;
                }
            })
        },
    );
    let (ran, _) = mixed.sync_with(&arguments, leave).await;
    ran.succeeded().says("3 skipped in ");
    mixed.sandbox.sync(&mixed.rule).await.wrote_nothing();
    for team in TEAMS {
        assert_eq!(mixed.sandbox.password(team).await, None);
        mixed.sandbox.release_namespace(team).await;
    }
}

#[tokio::test]
async fn one_that_is_gone_when_we_write_is_passed_over() {
    let mixed = Arc::new(Mixed::new("ns-gone").await);
    let going = Arc::clone(&mixed);
    let goes = once(
        |method, _| method == Method::POST,
        move || {
            let going = Arc::clone(&going);
            Fault::after(async move {
                let namespaces = Api::<Namespace>::all(going.sandbox.client.clone());
                going.sandbox.delete_namespace("team-new").await;
                let name = going.sandbox.name("team-new");
                while namespaces
                    .get_opt(&name)
                    .await
                    .expect("an answer")
                    .is_some()
                {
                    tokio::task::yield_now().await;
                }
            })
        },
    );
    let (ran, _) = mixed.sync(goes).await;
    ran.succeeded()
        .says("1 configured, 1 pruned, 1 skipped in ");
    mixed.sandbox.sync(&mixed.rule).await.wrote_nothing();
}
