//! Answers that are errors, to each way of writing.

use std::{collections::HashSet, sync::Mutex};

use futures::future::join_all;
use http::{Method, StatusCode};

use super::mixed::{ALL_DONE, Mixed, WRITES, all_writes, count, first_writes};
use crate::sandbox::Fault;

/// Every way to write meets the fault once; everything is done all the same.
async fn survives(prefix: &str, fault: impl Fn() -> Fault + Send + Sync + 'static) -> Vec<String> {
    let mixed = Mixed::new(prefix).await;
    let (ran, requests) = mixed.sync(first_writes(fault)).await;
    ran.succeeded().says(ALL_DONE);
    mixed.is_exact().await;
    mixed.recovers().await;
    requests
}

/// Every write meets the fault, always; nothing is done, and each way is told as failed.
async fn fails(
    prefix: &str,
    attempts: usize,
    says: &str,
    fault: impl Fn() -> Fault + Send + Sync + 'static,
) {
    let mixed = Mixed::new(prefix).await;
    let (ran, requests) = mixed.sync(all_writes(fault)).await;
    let ran = ran.failed_with(1).says("3 failed in ").says(says);
    for verb in ["create", "patch", "delete"] {
        assert!(
            ran.stderr
                .contains(&format!("cannot {verb} secret/regcred")),
            "{ran:#?}"
        );
    }
    assert_eq!(ran.stdout, "", "{ran:#?}");
    for method in WRITES {
        assert_eq!(
            count(&requests, &method),
            attempts,
            "{method} of {requests:#?}"
        );
    }
    mixed.is_as_before().await;
    mixed.recovers().await;
}

#[tokio::test]
async fn a_conflict_is_settled() {
    survives("answer-409", || {
        let message = "the object has been modified";
        Fault::Refuse(StatusCode::CONFLICT, "Conflict", message.to_owned())
    })
    .await;
}

#[tokio::test]
async fn an_invalid_write_is_told_and_not_repeated() {
    fails("answer-422", 1, "the request is invalid", || {
        let message = "the request is invalid".to_owned();
        Fault::Refuse(StatusCode::UNPROCESSABLE_ENTITY, "Invalid", message)
    })
    .await;
}

#[tokio::test]
async fn a_busy_server_is_asked_again() {
    survives("answer-429", || {
        Fault::Answer(StatusCode::TOO_MANY_REQUESTS, &[], "")
    })
    .await;
}

#[tokio::test]
async fn servers_that_stumble_are_asked_again() {
    join_all([500, 502, 504].map(async |code| {
        let status = StatusCode::from_u16(code).unwrap();
        let requests = survives(&format!("answer-{code}"), move || {
            Fault::Answer(status, &[], "")
        })
        .await;
        for method in WRITES {
            assert_eq!(count(&requests, &method), 2, "{method} of {requests:#?}");
        }
    }))
    .await;
}

#[tokio::test]
async fn a_write_that_took_effect_without_a_proper_answer_is_counted_once() {
    join_all([500, 504].map(async |code| {
        let status = StatusCode::from_u16(code).unwrap();
        survives(&format!("answer-{code}-after"), move || {
            Fault::AnswerAfterwards(status)
        })
        .await;
    }))
    .await;
}

#[tokio::test]
async fn what_was_done_though_failures_were_answered_all_along_is_told_as_failed() {
    let mixed = Mixed::new("answer-504-ever").await;
    let (ran, _) = mixed
        .sync(all_writes(|| {
            Fault::AnswerAfterwards(StatusCode::GATEWAY_TIMEOUT)
        }))
        .await;
    ran.failed_with(1)
        .says("3 failed in ")
        .says("504 Gateway Timeout");
    mixed.is_exact().await;
    mixed.recovers().await;
}

#[tokio::test]
async fn a_server_that_only_fails_is_told_of() {
    fails("answer-500-ever", 6, "500 Internal Server Error", || {
        Fault::Answer(StatusCode::INTERNAL_SERVER_ERROR, &[], "")
    })
    .await;
}

#[tokio::test]
async fn a_failing_place_does_not_stop_the_others() {
    join_all(
        WRITES
            .into_iter()
            .zip(["team-new", "team-kept", "team-gone"])
            .map(async |(method, place)| {
                let mixed =
                    Mixed::new(&format!("answer-one-{}", method.as_str().to_lowercase())).await;
                let at = mixed.sandbox.name(place);
                let refused = method.clone();
                let (ran, _) = mixed
                    .sync(move |method, uri| {
                        if *method == refused && uri.path().contains(&at) {
                            let message = "not today".to_owned();
                            Fault::Refuse(StatusCode::FORBIDDEN, "Forbidden", message)
                        } else {
                            Fault::None
                        }
                    })
                    .await;
                let words = ["1 created", "1 configured", "1 pruned"];
                let done = words.iter().filter(|word| ran.stderr.contains(*word));
                assert_eq!(done.count(), 2, "{method}: {ran:#?}");
                ran.failed_with(1).says("1 failed in ").says(&format!(
                    "in namespace {}: not today",
                    mixed.sandbox.name(place)
                ));
                mixed.recovers().await;
            }),
    )
    .await;
}

#[tokio::test]
async fn whoever_isnt_let_in_any_more_is_told_and_nothing_is_lost() {
    fails("answer-401", 1, "Unauthorized", || {
        let message = "Unauthorized".to_owned();
        Fault::Refuse(StatusCode::UNAUTHORIZED, "Unauthorized", message)
    })
    .await;
}

#[tokio::test]
async fn reading_survives_what_writing_survives() {
    join_all([429, 503].map(async |code| {
        let mixed = Mixed::new(&format!("answer-read-{code}")).await;
        let status = StatusCode::from_u16(code).unwrap();
        let seen = Mutex::new(HashSet::new());
        let (ran, _) = mixed
            .sync(move |method, uri| {
                let first = seen.lock().unwrap().insert((method.clone(), uri.clone()));
                if method == Method::GET && first {
                    Fault::Answer(status, &[], "")
                } else {
                    Fault::None
                }
            })
            .await;
        ran.succeeded().says(ALL_DONE);
        mixed.is_exact().await;
        mixed.recovers().await;
    }))
    .await;
}
