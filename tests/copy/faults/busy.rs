//! A server that wants to be left in peace for a while.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use futures::future::join_all;
use http::{Method, StatusCode};

use super::mixed::{ALL_DONE, Mixed, count, first_writes, once};
use crate::sandbox::Fault;

#[tokio::test]
async fn a_busy_server_is_given_the_time_it_asks_for() {
    join_all(
        [
            ("answer-429-later", StatusCode::TOO_MANY_REQUESTS),
            ("answer-503-later", StatusCode::SERVICE_UNAVAILABLE),
        ]
        .map(async |(prefix, status)| {
            let mixed = Mixed::new(prefix).await;
            let begun = Instant::now();
            let (ran, requests) = mixed
                .sync(first_writes(move || {
                    Fault::Answer(status, &[("retry-after", "1")], "")
                }))
                .await;
            ran.succeeded().says(ALL_DONE);
            assert!(begun.elapsed() >= Duration::from_secs(1));
            assert_eq!(count(&requests, &Method::POST), 2, "{requests:#?}");
            mixed.is_exact().await;
            mixed.recovers().await;
        }),
    )
    .await;
}

#[tokio::test]
async fn while_the_server_wants_no_requests_none_are_sent() {
    let mixed = Mixed::new("answer-429-all").await;
    let answered = Arc::new(Mutex::new(Vec::new()));
    let times = Arc::clone(&answered);
    let busy = once(
        |method, _| method == Method::POST,
        || Fault::Answer(StatusCode::TOO_MANY_REQUESTS, &[("retry-after", "1")], ""),
    );
    let (ran, _) = mixed
        .sync_with(&["--parallelism=1"], move |method, uri| {
            times.lock().unwrap().push(Instant::now());
            busy(method, uri)
        })
        .await;
    ran.succeeded().says(ALL_DONE);
    let times = answered.lock().unwrap().split_off(0);
    let pauses: Vec<Duration> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let long = pauses
        .iter()
        .filter(|pause| **pause >= Duration::from_millis(990));
    assert_eq!(long.count(), 1, "{pauses:#?}");
    mixed.recovers().await;
}
