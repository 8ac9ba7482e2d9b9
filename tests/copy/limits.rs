//! Runs that end before their time: `--timeout` and `--fail-fast`; and runs of one rule among others.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use http::{Method, StatusCode};

use crate::sandbox::{Fault, Sandbox, secret};

/// A source and four namespaces without a copy.
async fn four_targets(prefix: &str) -> Sandbox {
    let sandbox = Sandbox::new(prefix).await;
    sandbox
        .namespaces(&["source", "team-a", "team-b", "team-c", "team-d"])
        .await;
    sandbox.create_regcred("x").await;
    sandbox
}

/// Something that happens to the second POST.
fn second_post(fault: fn() -> Fault) -> impl Fn(&Method) -> Fault {
    let posts = AtomicUsize::new(0);
    move |method| {
        let second = method == Method::POST && posts.fetch_add(1, Ordering::SeqCst) == 1;
        if second { fault() } else { Fault::None }
    }
}

const ONE_BY_ONE: [&str; 6] = ["sync", "-f", "-", "--parallelism", "1", "--timeout=8s"];

#[tokio::test]
async fn a_run_whose_time_is_up_while_it_reads_writes_nothing() {
    let sandbox = four_targets("timeout-read").await;
    let proxy = sandbox
        .proxy(|_, uri| match uri.path() {
            "/api/v1/secrets" => Fault::after(tokio::time::sleep(Duration::from_mins(1))),
            _ => Fault::None,
        })
        .await;
    let begun = Instant::now();
    for command in ["sync", "prune"] {
        let arguments = [command, "-f", "-", "--timeout=500ms"];
        let ran = proxy.program(&arguments).stdin(&sandbox.rule()).run().await;
        ran.failed_with(1)
            .says("timed out after 0.5s; nothing was written");
    }
    assert!(begun.elapsed() < Duration::from_secs(30));
    let requests = proxy.requests();
    assert!(
        requests.iter().all(|request| request.starts_with("GET ")),
        "{requests:?}"
    );
}

#[tokio::test]
async fn what_was_begun_when_the_time_is_up_is_ended_and_the_rest_left() {
    let sandbox = four_targets("timeout-slow").await;
    let slow = second_post(|| Fault::after(tokio::time::sleep(Duration::from_secs(9))));
    let proxy = sandbox.proxy(move |method, _| slow(method)).await;
    let ran = proxy
        .program(&ONE_BY_ONE)
        .stdin(&sandbox.rule())
        .run()
        .await;
    ran.failed_with(1)
        .says("timed out: 2 created in")
        .says("2 not reached, run it again to continue");
    let ran = sandbox.sync(&sandbox.rule()).await.succeeded();
    ran.says("2 created, 2 unchanged");
}

#[tokio::test]
async fn a_server_that_asks_to_wait_does_not_make_a_run_longer_than_its_time() {
    let sandbox = four_targets("timeout-busy").await;
    let busy =
        second_post(|| Fault::Answer(StatusCode::TOO_MANY_REQUESTS, &[("retry-after", "60")], ""));
    let proxy = sandbox.proxy(move |method, _| busy(method)).await;
    let begun = Instant::now();
    let arguments = [&ONE_BY_ONE[..], &["-o", "json"]].concat();
    let ran = proxy.program(&arguments).stdin(&sandbox.rule()).run().await;
    assert!(begun.elapsed() < Duration::from_secs(30));
    let ran = ran.failed_with(1);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(report["stopped"], "TimedOut");
    assert_eq!(report["summary"]["created"], 1);
    assert_eq!(report["summary"]["notReached"], 3);
    let ran = sandbox.sync(&sandbox.rule()).await.succeeded();
    ran.says("3 created, 1 unchanged");
}

#[tokio::test]
async fn a_run_within_its_time_is_like_any_other() {
    let sandbox = four_targets("timeout-enough").await;
    let ran = sandbox
        .run_on(&["sync", "--timeout=5m"], &sandbox.rule())
        .await;
    ran.succeeded().says("4 created");
    let ran = sandbox
        .run_on(&["sync", "--timeout=0"], &sandbox.rule())
        .await;
    ran.wrote_nothing();
}

fn refuse() -> Fault {
    let answer = r#"{"kind":"Status","reason":"Forbidden","message":"no"}"#;
    Fault::Answer(StatusCode::FORBIDDEN, &[], answer)
}

#[tokio::test]
async fn the_first_failure_ends_a_run_that_was_asked_to() {
    let sandbox = four_targets("fail-fast").await;
    let refused = second_post(refuse);
    let proxy = sandbox.proxy(move |method, _| refused(method)).await;
    let arguments = ["sync", "-f", "-", "--parallelism", "1", "--fail-fast"];
    let ran = proxy.program(&arguments).stdin(&sandbox.rule()).run().await;
    ran.failed_with(1)
        .says("stopped at a failure: 1 created, 1 failed in")
        .says("2 not reached");
    assert_eq!(sandbox.secret("team-c", "regcred").await, None);
    let ran = sandbox.sync(&sandbox.rule()).await.succeeded();
    ran.says("3 created, 1 unchanged");
}

#[tokio::test]
async fn a_rule_that_cannot_be_followed_ends_such_a_run_before_it_writes() {
    let sandbox = four_targets("fail-fast-rule").await;
    let typo = sandbox
        .rule()
        .replace(&sandbox.name("source"), &sandbox.name("typo"));
    let both = format!("{}---\n{}", sandbox.rule(), sandbox.renamed(&typo, "typo"));
    let (ran, writes) = sandbox
        .writes_of(&["sync", "-f", "-", "--fail-fast"], &both)
        .await;
    ran.failed_with(1)
        .says("there is no namespace")
        .says("stopped at a failure: nothing done in")
        .says("4 not reached");
    assert_eq!(writes, [""; 0]);
    sandbox.sync(&both).await.failed_with(1).says("4 created");
}

#[tokio::test]
async fn a_rule_that_is_synced_alone_still_gives_way_to_an_older_one() {
    let sandbox = Sandbox::alone("alone-contested").await;
    sandbox.namespaces(&["source", "second", "team-a"]).await;
    sandbox.create_regcred("older").await;
    let second = secret("regcred", &[("password", "newer")]);
    sandbox.create_secret("second", &second).await;
    sandbox.apply_rule(&sandbox.rule()).await;
    let newer = sandbox
        .rule()
        .replace(&sandbox.name("source"), &sandbox.name("second"));
    let (older, z_newer) = (sandbox.name("rule"), sandbox.name("z-newer"));
    sandbox
        .apply_rule(&sandbox.renamed(&newer, "z-newer"))
        .await;
    for _ in 0..2 {
        let ran = sandbox.run(&["sync", &z_newer]).await.failed_with(1);
        ran.says(&format!("wanted by rule {older} too, which comes first"));
        assert_eq!(sandbox.password("team-a").await, None);
    }
    sandbox
        .run(&["sync", &older])
        .await
        .succeeded()
        .says("1 created");
    sandbox.run(&["sync", &z_newer]).await.failed_with(1);
    assert_eq!(sandbox.password("team-a").await.as_deref(), Some("older"));
    sandbox.delete_rule("rule").await;
    let ran = sandbox.run(&["sync", &z_newer]).await.failed_with(1);
    ran.says(&format!("belongs to rule {older}"));
    assert_eq!(sandbox.password("team-a").await.as_deref(), Some("older"));
    sandbox
        .run(&["sync"])
        .await
        .succeeded()
        .says("1 configured");
    assert_eq!(sandbox.password("team-a").await.as_deref(), Some("newer"));
}

#[tokio::test]
async fn a_request_that_hangs_does_not_make_a_run_much_longer_than_its_time() {
    let sandbox = four_targets("timeout-hangs").await;
    let hangs = second_post(|| Fault::after(std::future::pending()));
    let proxy = sandbox.proxy(move |method, _| hangs(method)).await;
    let begun = Instant::now();
    let ran = proxy
        .program(&ONE_BY_ONE)
        .stdin(&sandbox.rule())
        .run()
        .await;
    ran.failed_with(1)
        .says("timed out: 1 created, 1 failed in")
        .says("no answer within ");
    assert!(begun.elapsed() < Duration::from_secs(30));
    let ran = sandbox.sync(&sandbox.rule()).await.succeeded();
    ran.says("3 created, 1 unchanged");
}
