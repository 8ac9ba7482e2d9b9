//! Answers that are errors, to each way of writing.

use std::time::{Duration, Instant};

use http::{Method, StatusCode};
use serde_json::json;

use super::mixed::{ALL_DONE, Mixed, WRITES, all_writes, count, first_writes, once};
use crate::sandbox::{Fault, planted};

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
async fn an_endless_conflict_is_told() {
    let mixed = Mixed::new("answer-409-ever").await;
    let (ran, requests) = mixed
        .sync(all_writes(|| {
            let message = "the object has been modified";
            Fault::Refuse(StatusCode::CONFLICT, "Conflict", message.to_owned())
        }))
        .await;
    ran.failed_with(1)
        .says("3 failed in ")
        .says("it keeps being changed by somebody else");
    assert!(requests.len() < 60, "{requests:#?}");
    mixed.is_as_before().await;
    mixed.recovers().await;
}

#[tokio::test]
async fn what_was_done_though_a_conflict_was_answered_is_not_claimed() {
    let mixed = Mixed::new("answer-409-after").await;
    let (ran, _) = mixed
        .sync(first_writes(|| {
            Fault::AnswerAfterwards(StatusCode::CONFLICT)
        }))
        .await;
    // A 409 says that nothing was done, so what is found is somebody else's doing.
    ran.succeeded().says("2 unchanged, 1 skipped in ");
    mixed.is_exact().await;
    mixed.recovers().await;
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
async fn a_patch_that_no_longer_fits_is_made_anew() {
    let mixed = Mixed::new("answer-422-race").await;
    let secrets = mixed
        .sandbox
        .api::<k8s_openapi::api::core::v1::Secret>("team-kept");
    let (ran, requests) = mixed
        .sync(once(
            |method, _| method == Method::PATCH,
            move || {
                let secrets = secrets.clone();
                Fault::after(async move {
                    let bare = json!({"metadata": {"labels": null}});
                    let patch = kube::api::Patch::Merge(bare);
                    secrets
                        .patch("regcred", &kube::api::PatchParams::default(), &patch)
                        .await
                        .expect("the labels are taken");
                })
            },
        ))
        .await;
    ran.succeeded().says(ALL_DONE);
    assert_eq!(count(&requests, &Method::PATCH), 2, "{requests:#?}");
    mixed.is_exact().await;
    mixed.recovers().await;
}

#[tokio::test]
async fn a_busy_server_is_asked_again() {
    survives("answer-429", || {
        Fault::Answer(StatusCode::TOO_MANY_REQUESTS, &[], "")
    })
    .await;
}

#[tokio::test]
async fn a_busy_server_is_given_the_time_it_asks_for() {
    for (prefix, status) in [
        ("answer-429-later", StatusCode::TOO_MANY_REQUESTS),
        ("answer-503-later", StatusCode::SERVICE_UNAVAILABLE),
    ] {
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
    }
}

#[tokio::test]
async fn while_the_server_wants_no_requests_none_are_sent() {
    let mixed = Mixed::new("answer-429-all").await;
    let answered = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let times = std::sync::Arc::clone(&answered);
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
    let times = answered.lock().unwrap();
    let pauses: Vec<Duration> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let long = pauses
        .iter()
        .filter(|pause| **pause >= Duration::from_millis(990));
    assert_eq!(long.count(), 1, "{pauses:#?}");
    mixed.recovers().await;
}

#[tokio::test]
async fn servers_that_stumble_are_asked_again() {
    for code in [500, 502, 503, 504] {
        let status = StatusCode::from_u16(code).unwrap();
        let requests = survives(&format!("answer-{code}"), move || {
            Fault::Answer(status, &[], "")
        })
        .await;
        for method in WRITES {
            assert_eq!(count(&requests, &method), 2, "{method} of {requests:#?}");
        }
    }
}

#[tokio::test]
async fn a_write_that_took_effect_without_a_proper_answer_is_counted_once() {
    for code in [500, 503, 504] {
        let status = StatusCode::from_u16(code).unwrap();
        survives(&format!("answer-{code}-after"), move || {
            Fault::AnswerAfterwards(status)
        })
        .await;
    }
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
    for (method, place) in WRITES
        .into_iter()
        .zip(["team-new", "team-kept", "team-gone"])
    {
        let mixed = Mixed::new(&format!("answer-one-{}", method.as_str().to_lowercase())).await;
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
    }
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
    for code in [429, 500, 503, 504] {
        let mixed = Mixed::new(&format!("answer-read-{code}")).await;
        let status = StatusCode::from_u16(code).unwrap();
        let seen = std::sync::Mutex::new(std::collections::HashSet::new());
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
    }
}

#[tokio::test]
async fn a_conflict_of_the_quota_is_tried_again() {
    let mixed = Mixed::new("answer-409-quota").await;
    let (ran, requests) = mixed
        .sync(once(
            |method, _| method == Method::POST,
            || {
                let message = "Operation cannot be fulfilled on resourcequotas".to_owned();
                Fault::Refuse(StatusCode::CONFLICT, "Conflict", message)
            },
        ))
        .await;
    ran.succeeded().says(ALL_DONE);
    assert_eq!(count(&requests, &Method::POST), 2, "{requests:#?}");
    mixed.recovers().await;
}

#[tokio::test]
async fn a_name_that_is_taken_meanwhile_is_left_to_whoever_took_it() {
    let mixed = Mixed::new("answer-taken").await;
    let secrets = mixed
        .sandbox
        .api::<k8s_openapi::api::core::v1::Secret>("team-new");
    let (ran, _) = mixed
        .sync(once(
            |method, _| method == Method::POST,
            move || {
                let secrets = secrets.clone();
                Fault::after(async move {
                    let theirs =
                        crate::sandbox::secret("regcred", &[("password", &planted("theirs"))]);
                    secrets
                        .create(&kube::api::PostParams::default(), &theirs)
                        .await
                        .expect("the name is free");
                })
            },
        ))
        .await;
    ran.failed_with(1)
        .says("1 configured, 1 pruned, 1 conflict in ");
    assert_eq!(
        mixed.sandbox.password("team-new").await,
        Some(planted("theirs"))
    );
    mixed.sandbox.delete_secret("team-new", "regcred").await;
    mixed.recovers().await;
}
