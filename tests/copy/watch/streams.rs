//! Watches that end in every way that a watch may end in, while things happen that they would have told.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use http::StatusCode;
use serde_json::json;

use super::watched::{begin, ends, is_watch};
use crate::sandbox::{Fault, Proxy, Running, Sandbox};

/// A watch over a rule with copies in two namespaces, with faults for the requests that begin watches.
async fn watch(
    prefix: &str,
    fault: impl Fn() -> Fault + Send + Sync + 'static,
) -> (Sandbox, Proxy, Running) {
    let sandbox = Sandbox::with_source(prefix, &["team-a", "team-b"]).await;
    let rule = sandbox.rule();
    let (proxy, running) = sandbox
        .watch_through(&rule, move |_, uri| {
            let query = uri.query().unwrap_or_default();
            if query.contains("watch=1") {
                fault()
            } else {
                Fault::None
            }
        })
        .await;
    for team in ["team-a", "team-b"] {
        sandbox.eventually_password(team, Some("x")).await;
    }
    (sandbox, proxy, running)
}

/// Changes a bit of everything, without anybody being told of it.
async fn change_unheard(sandbox: &Sandbox, proxy: &Proxy) {
    proxy.swallow_events(true);
    sandbox.rotate_regcred("y").await;
    sandbox.delete_secret("team-a", "regcred").await;
    sandbox.namespaces(&["team-c"]).await;
    // It is only sure to have come by, and to have been swallowed, once another watch has told of it.
    sandbox.eventually_password("source", Some("y")).await;
}

async fn recovers(sandbox: &Sandbox, running: Running) {
    for team in ["team-a", "team-b", "team-c"] {
        sandbox.eventually_password(team, Some("y")).await;
    }
    ends(running).await;
    sandbox.is_in_step(&sandbox.rule()).await;
}

#[tokio::test]
async fn watches_that_are_cut_go_on_where_they_were() {
    let (sandbox, proxy, running) = watch("watch-cut", || Fault::None).await;
    let lists = |proxy: &Proxy| {
        let requests = proxy.requests();
        requests.iter().filter(|one| one.contains("limit=")).count()
    };
    lists(&proxy);
    for value in ["v", "w", "y"] {
        proxy.cut_watches();
        sandbox.rotate_regcred(value).await;
        sandbox.eventually_password("team-a", Some(value)).await;
    }
    sandbox.namespaces(&["team-c"]).await;
    recovers(&sandbox, running).await;
    assert_eq!(lists(&proxy), 0, "nothing is read anew");
}

#[tokio::test]
async fn a_state_that_is_forgotten_is_read_anew() {
    let gone = Arc::new(AtomicUsize::new(0));
    let forgetting = Arc::clone(&gone);
    let (sandbox, proxy, running) = watch("watch-gone", move || {
        let left = forgetting.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
            left.checked_sub(1)
        });
        if left.is_ok() {
            Fault::Refuse(
                StatusCode::GONE,
                "Expired",
                "too old resource version".to_owned(),
            )
        } else {
            Fault::None
        }
    })
    .await;
    change_unheard(&sandbox, &proxy).await;
    gone.store(usize::MAX / 2, Ordering::SeqCst);
    proxy.cut_watches();
    proxy.swallow_events(false);
    // Lists that are followed by the same answer again and again are read ever more seldom.
    for team in ["team-a", "team-b", "team-c"] {
        sandbox.eventually_password(team, Some("y")).await;
    }
    let told = running.stderr();
    assert!(!told.contains("too old"), "{told}");
    gone.store(0, Ordering::SeqCst);
    recovers(&sandbox, running).await;
}

#[tokio::test]
async fn an_error_in_a_watch_is_heeded() {
    let status = |code: u16, reason: &str| {
        let status = json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
            "message": "the watch's own end", "reason": reason, "code": code,
        });
        format!("{}\n", json!({"type": "ERROR", "object": status}))
    };
    for (prefix, last) in [
        ("watch-error-410", status(410, "Expired")),
        ("watch-garbage", "<html>sign in</html>\n".to_owned()),
    ] {
        let (sandbox, proxy, running) = watch(prefix, || Fault::None).await;
        change_unheard(&sandbox, &proxy).await;
        proxy.end_watches(&last);
        proxy.swallow_events(false);
        recovers(&sandbox, running).await;
    }
    let (sandbox, proxy, running) = watch("watch-error-500", || Fault::None).await;
    proxy.end_watches(&status(500, "InternalError"));
    sandbox.rotate_regcred("y").await;
    sandbox.namespaces(&["team-c"]).await;
    running.says("the watch's own end").await;
    recovers(&sandbox, running).await;
}

#[tokio::test]
async fn half_a_line_is_not_believed() {
    let (sandbox, proxy, running) = watch("watch-half", || Fault::None).await;
    let half =
        r#"{"type":"DELETED","object":{"kind":"Secret","apiVersion":"v1","metadata":{"name":"regc"#;
    for value in ["v", "y"] {
        proxy.end_watches(half);
        sandbox.rotate_regcred(value).await;
        sandbox.eventually_password("team-a", Some(value)).await;
    }
    sandbox.namespaces(&["team-c"]).await;
    let told = running.stdout();
    assert!(!told.contains("pruned"), "{told}");
    recovers(&sandbox, running).await;
}

#[tokio::test]
async fn watches_that_end_as_soon_as_they_begin_are_not_begun_all_the_time() {
    let (sandbox, proxy, running) =
        watch("watch-brief", || Fault::Answer(StatusCode::OK, &[], "")).await;
    proxy.requests();
    let listened = Duration::from_secs(6);
    tokio::time::sleep(listened).await;
    let requests = proxy.requests();
    // Namespaces, the original, and copies of both kinds.
    assert!(
        requests.len() < 4 * 12,
        "{} requests in {listened:?}",
        requests.len()
    );
    sandbox.rotate_regcred("y").await;
    sandbox.namespaces(&["team-c"]).await;
    recovers(&sandbox, running).await;
}

#[tokio::test]
async fn a_server_that_is_busy_or_broken_for_a_while_is_waited_for() {
    for (prefix, status) in [
        ("watch-busy", StatusCode::TOO_MANY_REQUESTS),
        ("watch-broken", StatusCode::INTERNAL_SERVER_ERROR),
    ] {
        let sandbox = Sandbox::with_source(prefix, &["team-a", "team-b"]).await;
        let until = Arc::new(std::sync::Mutex::new(None::<Instant>));
        let fails = Arc::clone(&until);
        let (proxy, running) = sandbox
            .watch_through(&sandbox.rule(), move |_, _| {
                let until = *fails.lock().unwrap();
                if until.is_some_and(|until| Instant::now() < until) {
                    Fault::Answer(status, &[("retry-after", "1")], "")
                } else {
                    Fault::None
                }
            })
            .await;
        sandbox.eventually_password("team-b", Some("x")).await;
        *until.lock().unwrap() = Some(Instant::now() + Duration::from_secs(4));
        proxy.requests();
        proxy.cut_watches();
        sandbox.rotate_regcred("y").await;
        sandbox.delete_secret("team-a", "regcred").await;
        sandbox.namespaces(&["team-c"]).await;
        recovers(&sandbox, running).await;
        let requests = proxy.requests();
        assert!(requests.len() < 100, "{} requests", requests.len());
    }
}

/// How long watches are cut, once in a second.
const CUTTING: Duration = Duration::from_mins(1);

#[tokio::test]
async fn watches_are_cut_again_and_again_while_everything_changes() {
    let sandbox = Sandbox::ruled_with_source("watch-cuts", &["team-a", "crew-a"]).await;
    let proxy = sandbox.proxy(|_, _| Fault::None).await;
    let name = sandbox.name("rule");
    sandbox.apply_rule(&sandbox.rule()).await;
    let running = begin(proxy.program(&["sync", "--watch", &name]).start().await).await;
    let begun = Instant::now();
    let mut rounds = 0;
    let cuts = async {
        let mut ticks = tokio::time::interval(Duration::from_secs(1));
        while begun.elapsed() < CUTTING {
            ticks.tick().await;
            proxy.cut_watches();
        }
    };
    let changes = async {
        while begun.elapsed() < CUTTING {
            rounds += 1;
            sandbox.rotate_regcred(&format!("value-{rounds}")).await;
            let target = if rounds % 4 == 0 { "crew-*" } else { "team-*" };
            sandbox
                .apply_rule(&sandbox.aimed(&sandbox.rule(), target))
                .await;
            if rounds % 10 == 1 {
                sandbox.namespaces(&[&format!("team-{rounds}")]).await;
            }
            if let Some(copy) = sandbox.secret("team-a", "regcred").await
                && rounds % 7 == 0
            {
                let uid = copy.metadata.uid.expect("it has a uid");
                let parameters = kube::api::DeleteParams {
                    preconditions: Some(kube::api::Preconditions {
                        uid: Some(uid),
                        resource_version: None,
                    }),
                    ..Default::default()
                };
                let secrets: kube::Api<k8s_openapi::api::core::v1::Secret> = sandbox.api("team-a");
                // It may be deleted, or made anew, meanwhile.
                let _ = secrets.delete("regcred", &parameters).await;
            }
        }
    };
    tokio::join!(cuts, changes);
    sandbox.rotate_regcred("last").await;
    sandbox.apply_rule(&sandbox.rule()).await;
    sandbox.eventually_password("crew-a", None).await;
    for round in (1..=rounds).step_by(10) {
        let team = format!("team-{round}");
        sandbox.eventually_password(&team, Some("last")).await;
    }
    sandbox.eventually_password("team-a", Some("last")).await;
    sandbox.eventually_ready("rule", "InStep").await;
    let watches = proxy.requests().iter().filter(|one| is_watch(one)).count();
    assert!(watches > 120, "{watches} watches were begun");
    ends(running).await;
    sandbox.is_in_step_by_name(&["rule"]).await;
}
