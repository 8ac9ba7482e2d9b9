//! Answers that take their time, and requests that arrive when nobody waits for them any more.

use std::time::{Duration, Instant};

use futures::future::join_all;
use http::Method;

use super::mixed::{ALL_DONE, Mixed, WRITES, all_writes, count, first_writes, once};
use crate::sandbox::Fault;

/// Longer than any other request takes on a busy machine.
const TIMEOUT: &str = "--request-timeout=4s";
const TOO_LONG: Duration = Duration::from_secs(9);

#[tokio::test]
async fn slow_answers_are_waited_for() {
    let mixed = Mixed::new("slow").await;
    let slow = Duration::from_millis(400);
    let (ran, requests) = mixed.sync(move |_, _| Fault::slow_answer(slow)).await;
    ran.succeeded().says(ALL_DONE);
    for method in WRITES {
        assert_eq!(count(&requests, &method), 1, "{method} of {requests:#?}");
    }
    mixed.is_exact().await;
    mixed.recovers().await;
}

#[tokio::test]
async fn a_write_whose_answer_comes_too_late_is_counted_once() {
    let mixed = Mixed::new("slow-answer").await;
    let late = first_writes(|| Fault::slow_answer(TOO_LONG));
    let (ran, requests) = mixed.sync_with(&[TIMEOUT], late).await;
    ran.succeeded().says(ALL_DONE);
    assert_eq!(count(&requests, &Method::POST), 2, "{requests:#?}");
    mixed.is_exact().await;
    mixed.recovers().await;
}

#[tokio::test]
async fn a_write_that_arrives_after_its_repetition_does_no_harm() {
    let mixed = Mixed::new("slow-request").await;
    let late = first_writes(|| Fault::slow_request(TOO_LONG));
    let proxy = mixed.sandbox.proxy(late).await;
    let ran = mixed.run(&proxy, &[TIMEOUT]).await;
    ran.succeeded().says(ALL_DONE);
    mixed.is_exact().await;
    proxy.idle().await;
    mixed.is_exact().await;
    mixed.recovers().await;
}

#[tokio::test]
async fn a_server_that_is_always_too_slow_is_told_of() {
    let mixed = Mixed::new("slow-ever").await;
    let begun = Instant::now();
    let slow = all_writes(|| Fault::slow_request(Duration::from_mins(1)));
    let (ran, _) = mixed.sync_with(&["--request-timeout=2s"], slow).await;
    ran.failed_with(1)
        .says("3 failed in ")
        .says("no answer within 2s");
    assert!(begun.elapsed() < Duration::from_secs(55));
    mixed.is_as_before().await;
    mixed.recovers().await;
}

#[tokio::test]
async fn a_list_that_takes_too_long_is_asked_for_again() {
    join_all(
        [
            ("/secrets", "slow-copies"),
            ("/namespaces", "slow-namespaces"),
            ("/regcred", "slow-source"),
        ]
        .map(async |(resource, prefix)| {
            let mixed = Mixed::new(prefix).await;
            let slow = once(
                move |method, uri| method == Method::GET && uri.path().ends_with(resource),
                || Fault::slow_answer(TOO_LONG),
            );
            let (ran, _) = mixed.sync_with(&[TIMEOUT], slow).await;
            ran.succeeded().says(ALL_DONE);
            mixed.recovers().await;
        }),
    )
    .await;
}
