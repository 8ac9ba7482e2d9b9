//! Faults that bring Secrets where words are expected. Every run of the program is searched for planted
//! values; these are the runs that would most likely show some.

use futures::future::join_all;
use http::{Method, StatusCode, Uri};

use super::mixed::{Mixed, WRITES};
use crate::sandbox::{Fault, Ran};

/// Each way of telling what happens, or would.
const COMMANDS: [&[&str]; 5] = [
    &["sync"],
    &["sync", "--output=json"],
    &["sync", "--dry-run=server", "--output=yaml"],
    &["sync", "--verify"],
    &["diff", "--output=json"],
];

/// A fault, and how it is called.
type Named = (&'static str, fn() -> Fault);

fn quoting_faults() -> Vec<Named> {
    vec![
        ("request-400", || {
            Fault::QuoteRequest(StatusCode::BAD_REQUEST)
        }),
        ("request-422", || {
            Fault::QuoteRequest(StatusCode::UNPROCESSABLE_ENTITY)
        }),
        ("answer-400", || Fault::QuoteAnswer(StatusCode::BAD_REQUEST)),
        ("answer-409", || Fault::QuoteAnswer(StatusCode::CONFLICT)),
        ("half", || Fault::HalfAnswer),
    ]
}

/// Runs every command through a proxy with this fault wherever it holds, as verbosely as can be.
async fn run_all(
    mixed: &Mixed,
    holds: fn(&Method, &Uri) -> bool,
    fault: fn() -> Fault,
) -> Vec<Ran> {
    let decide = move |method: &Method, uri: &Uri| {
        if holds(method, uri) {
            fault()
        } else {
            Fault::None
        }
    };
    let proxy = mixed.sandbox.proxy(decide).await;
    let runs = COMMANDS.map(|command| {
        let arguments = [command, &["-v9", "-f", "-"]].concat();
        proxy.program(&arguments).stdin(&mixed.rule).run()
    });
    join_all(runs).await
}

#[tokio::test]
async fn answers_to_writes_that_quote_them_are_not_quoted() {
    let faults = quoting_faults();
    let faults = faults
        .into_iter()
        .filter(|(name, _)| name.starts_with("request"));
    join_all(faults.map(async |(name, fault)| {
        let mixed = Mixed::new(&format!("secrecy-write-{name}")).await;
        let rans = run_all(&mixed, |method, _| WRITES.contains(method), fault).await;
        let failed = rans.iter().filter(|ran| ran.code() == 1).count();
        // A rehearsal on our side writes nothing, so `diff` has differences, which is 1 too.
        assert_eq!(failed, COMMANDS.len(), "{rans:#?}");
        mixed.is_as_before().await;
        mixed.recovers().await;
    }))
    .await;
}

#[tokio::test]
async fn answers_with_secrets_that_cannot_be_understood_are_not_quoted() {
    let faults = quoting_faults();
    let faults = faults
        .into_iter()
        .filter(|(name, _)| !name.starts_with("request"));
    join_all(faults.map(async |(name, fault)| {
        let mixed = Mixed::new(&format!("secrecy-read-{name}")).await;
        let is_original = |method: &Method, uri: &Uri| {
            method == Method::GET && uri.path().ends_with("source/secrets/regcred")
        };
        let is_full_list = |method: &Method, uri: &Uri| {
            method == Method::GET
                && uri.path().ends_with("/secrets")
                && uri.query().is_some_and(|query| query.contains("limit=100"))
        };
        for holds in [is_original, is_full_list] {
            for ran in run_all(&mixed, holds, fault).await {
                assert_ne!(ran.code(), 101, "{ran:#?}");
            }
        }
        mixed.recovers().await;
    }))
    .await;
}
