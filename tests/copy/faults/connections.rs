//! Connections that break, wherever they may.

use std::{collections::HashSet, sync::Mutex};

use futures::future::join_all;
use http::Method;

use super::mixed::{ALL_DONE, Mixed, WRITES, count, first_writes};
use crate::sandbox::Fault;

/// A place where a connection can break.
type Place = (&'static str, fn() -> Fault);

const CUTS: [Place; 4] = [
    ("before-body", || Fault::CutBeforeBody),
    ("unforwarded", || Fault::CutBeforehand),
    ("unanswered", || Fault::CutAfterwards),
    ("half-answered", || Fault::CutInAnswer),
];

#[tokio::test]
async fn writes_survive_a_cut_wherever_it_is() {
    join_all(CUTS.map(async |(place, cut)| {
        let mixed = Mixed::new(&format!("cut-{place}")).await;
        let (ran, requests) = mixed.sync(first_writes(cut)).await;
        ran.succeeded().says(ALL_DONE);
        for method in WRITES {
            assert_eq!(
                count(&requests, &method),
                2,
                "{place}: {method} of {requests:#?}"
            );
        }
        mixed.is_exact().await;
        mixed.recovers().await;
    }))
    .await;
}

#[tokio::test]
async fn reads_survive_a_cut_wherever_it_is() {
    join_all(CUTS.map(async |(place, cut)| {
        let mixed = Mixed::new(&format!("cut-read-{place}")).await;
        let seen = Mutex::new(HashSet::new());
        let (ran, _) = mixed
            .sync(move |method, uri| {
                let path = uri.path().to_owned();
                // The very first request finds out whether there is a server at all.
                let first = uri.path() != "/api/v1/secrets" && seen.lock().unwrap().insert(path);
                if method == Method::GET && first {
                    cut()
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

#[tokio::test]
async fn a_place_that_is_always_cut_off_does_not_stop_the_others() {
    let places = ["team-new", "team-kept", "team-gone"];
    join_all(
        places
            .into_iter()
            .zip([
                "1 configured, 1 pruned, 1 failed in ",
                "1 created, 1 pruned, 1 failed in ",
                "1 created, 1 configured, 1 failed in ",
            ])
            .map(async |(place, done)| {
                let mixed = Mixed::new(&format!("cut-off-{place}")).await;
                let at = mixed.sandbox.name(place);
                let (ran, _) = mixed
                    .sync(move |method, uri| {
                        if WRITES.contains(method) && uri.path().contains(&at) {
                            Fault::CutBeforehand
                        } else {
                            Fault::None
                        }
                    })
                    .await;
                ran.failed_with(1).says(done).says("error: cannot ");
                mixed.recovers().await;
            }),
    )
    .await;
}

#[tokio::test]
async fn a_server_that_cuts_every_connection_is_told_of() {
    let mixed = Mixed::new("cut-all").await;
    let (ran, _) = mixed.sync(|_, _| Fault::CutBeforehand).await;
    let ran = ran.failed_with(1);
    assert!(ran.stdout.is_empty() && !ran.stderr.is_empty(), "{ran:#?}");
    mixed.is_as_before().await;
    mixed.recovers().await;
}
