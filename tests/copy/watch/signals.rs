//! The end of a watch: when nothing goes on, in the middle of its work, and without a warning.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use futures::future::join_all;
use http::{Method, StatusCode};
use rustix::process::Signal;

use super::watched::{WATCHES, ends};
use crate::sandbox::{Fault, Process, Sandbox};

const TEAMS: [&str; 6] = ["team-a", "team-b", "team-c", "team-d", "team-e", "team-f"];

const SIGNALS: [(Signal, i32); 2] = [(Signal::INT, 130), (Signal::TERM, 143)];

#[tokio::test]
async fn a_watch_at_rest_ends_at_once_and_says_what_it_did() {
    join_all(SIGNALS.map(async |(signal, code)| {
        let sandbox = Sandbox::with_source(&format!("watch-end-{code}"), &["team-a"]).await;
        let running = sandbox.watch(&sandbox.rule()).await;
        sandbox.eventually_password("team-a", Some("x")).await;
        let ran = running.stop(signal).await.failed_with(code);
        ran.says("1 created in ");
        sandbox.is_in_step(&sandbox.rule()).await;
    }))
    .await;
}

#[tokio::test]
async fn a_write_under_way_is_finished_and_no_other_is_begun() {
    join_all(SIGNALS.map(async |(signal, code)| {
        let sandbox = Sandbox::with_source(&format!("watch-mid-{code}"), &TEAMS).await;
        let process = Process::default();
        let (known, writes) = (process.clone(), AtomicUsize::new(0));
        let proxy = sandbox
            .proxy(move |method, _| {
                if *method != Method::POST || writes.fetch_add(1, Ordering::SeqCst) != 2 {
                    return Fault::None;
                }
                let process = known.clone();
                Fault::after(async move {
                    process.signal(signal);
                    tokio::time::sleep(Duration::from_millis(500)).await;
                })
            })
            .await;
        let arguments = ["sync", "--watch", "-f", "-", "--parallelism=1"];
        let program = proxy.program(&arguments).stdin(&sandbox.rule());
        let ran = program.known_as(&process).run().await.failed_with(code);
        ran.says("interrupted: 3 created").says("; 3 not reached");
        let requests = proxy.requests();
        let posts = requests.iter().filter(|one| one.starts_with("POST "));
        assert_eq!(posts.count(), 3, "{requests:#?}");
        sandbox
            .sync(&sandbox.rule())
            .await
            .succeeded()
            .says("3 created");
    }))
    .await;
}

#[tokio::test]
async fn nobody_waits_for_a_server_that_wants_no_requests() {
    let sandbox = Sandbox::with_source("watch-end-busy", &TEAMS).await;
    let process = Process::default();
    let (known, writes) = (process.clone(), AtomicUsize::new(0));
    let proxy = sandbox
        .proxy(move |method, _| {
            if *method != Method::POST {
                return Fault::None;
            }
            // A second signal would end it at once.
            if writes.fetch_add(1, Ordering::SeqCst) == 0 {
                known.signal(Signal::TERM);
            }
            Fault::Answer(StatusCode::TOO_MANY_REQUESTS, &[("retry-after", "60")], "")
        })
        .await;
    let arguments = ["sync", "--watch", "-f", "-", "--parallelism=2"];
    let program = proxy.program(&arguments).stdin(&sandbox.rule());
    let ran = program.known_as(&process).run().await.failed_with(143);
    ran.says("nothing done").says("; 6 not reached");
}

/// A pod is killed half a minute after it was told to end, and a request may take a minute and a half.
#[tokio::test]
async fn an_answer_that_never_comes_is_not_waited_for_until_a_pod_is_killed() {
    let sandbox = Sandbox::with_source("watch-end-mute", &["team-a"]).await;
    let process = Process::default();
    let known = process.clone();
    let proxy = sandbox
        .proxy(move |method, _| {
            if *method != Method::POST {
                return Fault::None;
            }
            known.signal(Signal::TERM);
            Fault::instead(std::future::pending())
        })
        .await;
    let arguments = ["sync", "--watch", "-f", "-"];
    let program = proxy.program(&arguments).stdin(&sandbox.rule());
    let ran = program.known_as(&process).run().await.failed_with(143);
    ran.says("within 1").says("1 failed in 1");
}

#[tokio::test]
async fn a_watch_that_is_killed_is_taken_up_by_the_next_one() {
    let sandbox = Sandbox::with_source("watch-killed", &TEAMS).await;
    let rule = sandbox.rule();
    let process = Process::default();
    let (known, writes) = (process.clone(), AtomicUsize::new(0));
    let proxy = sandbox
        .proxy(move |method, _| {
            let nth = (*method == Method::POST).then(|| writes.fetch_add(1, Ordering::SeqCst));
            if nth == Some(3) {
                let process = known.clone();
                return Fault::then(async move { process.signal(Signal::KILL) });
            }
            Fault::None
        })
        .await;
    let arguments = ["sync", "--watch", "-f", "-", "--parallelism=1"];
    let program = proxy.program(&arguments).stdin(&rule);
    let ran = program.known_as(&process).run().await;
    assert!(ran.was_killed(), "{ran:#?}");
    assert!(!ran.stderr.contains(WATCHES) || !ran.stdout.is_empty());
    proxy.idle().await;
    sandbox.rotate_regcred("y").await;
    let running = sandbox.watch(&rule).await;
    for team in TEAMS {
        sandbox.eventually_password(team, Some("y")).await;
    }
    ends(running).await;
    sandbox.is_in_step(&rule).await;
}

#[tokio::test]
async fn its_time_may_be_limited() {
    let sandbox = Sandbox::with_source("watch-timeout", &["team-a"]).await;
    let rule = sandbox.rule();
    let running = sandbox.watch_with(&rule, &["--timeout=15s"]).await;
    sandbox.eventually_password("team-a", Some("x")).await;
    running.ended().await.succeeded().says("1 created");
}
