//! Objects that somebody else changes between our reading and our writing.

use http::{Method, StatusCode};
use k8s_openapi::api::core::v1::Secret;
use kube::api::{Patch, PatchParams, PostParams};
use serde_json::json;

use super::mixed::{ALL_DONE, Mixed, all_writes, count, first_writes, once};
use crate::sandbox::{Fault, planted, secret};

#[tokio::test]
async fn a_patch_that_no_longer_fits_is_made_anew() {
    let mixed = Mixed::new("answer-422-race").await;
    let secrets = mixed.sandbox.api::<Secret>("team-kept");
    let (ran, requests) = mixed
        .sync(once(
            |method, _| method == Method::PATCH,
            move || {
                let secrets = secrets.clone();
                Fault::after(async move {
                    let bare = json!({"metadata": {"labels": null}});
                    let patch = Patch::Merge(bare);
                    secrets
                        .patch("regcred", &PatchParams::default(), &patch)
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
async fn a_name_that_is_taken_meanwhile_is_left_to_whoever_took_it() {
    let mixed = Mixed::new("answer-taken").await;
    let secrets = mixed.sandbox.api::<Secret>("team-new");
    let (ran, _) = mixed
        .sync(once(
            |method, _| method == Method::POST,
            move || {
                let secrets = secrets.clone();
                Fault::after(async move {
                    let theirs = secret("regcred", &[("password", &planted("theirs"))]);
                    secrets
                        .create(&PostParams::default(), &theirs)
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

/// Changes an object by a merge patch while the first request of this method is held.
fn changes(
    mixed: &Mixed,
    team: &str,
    method: Method,
    patch: serde_json::Value,
) -> impl Fn(&Method, &http::Uri) -> Fault + use<> {
    let secrets = mixed.sandbox.api::<Secret>(team);
    once(
        move |held, _| *held == method,
        move || {
            let (secrets, patch) = (secrets.clone(), Patch::Merge(patch.clone()));
            Fault::after(async move {
                let parameters = PatchParams::default();
                let changed = secrets.patch("regcred", &parameters, &patch).await;
                changed.expect("somebody changes the copy");
            })
        },
    )
}

#[tokio::test]
async fn a_copy_that_somebody_changes_meanwhile_is_healed() {
    let mixed = Mixed::new("race-patch").await;
    let patch = json!({"stringData": {"password": "theirs"}, "metadata": {"labels": {"a": "b"}}});
    let faults = changes(&mixed, "team-kept", Method::PATCH, patch);
    let (ran, requests) = mixed.sync(faults).await;
    ran.succeeded().says(ALL_DONE);
    assert_eq!(count(&requests, &Method::PATCH), 2, "{requests:#?}");
    let copy = mixed.sandbox.secret("team-kept", "regcred").await;
    let labels = copy.and_then(|copy| copy.metadata.labels);
    assert_eq!(labels.expect("our labels, at least")["a"], "b");
    mixed.is_exact().await;
    mixed.recovers().await;
}

#[tokio::test]
async fn a_copy_that_somebody_takes_over_meanwhile_is_not_pruned() {
    let mixed = Mixed::new("race-delete").await;
    let patch = json!({"metadata": {"labels": null, "annotations": null}});
    let faults = changes(&mixed, "team-gone", Method::DELETE, patch);
    let (ran, requests) = mixed.sync(faults).await;
    ran.succeeded()
        .says("1 created, 1 configured, 1 skipped in ");
    assert_eq!(count(&requests, &Method::DELETE), 1, "{requests:#?}");
    let theirs = mixed.sandbox.password("team-gone").await;
    assert_eq!(theirs, Some(planted("v1")));
    mixed.sandbox.delete_secret("team-gone", "regcred").await;
    mixed.recovers().await;
}
