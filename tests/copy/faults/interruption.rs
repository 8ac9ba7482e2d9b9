//! Signals at the moments that matter: while it writes, waits, or doesn't know what became of a write.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use futures::future::join_all;
use http::{Method, StatusCode, Uri};
use rustix::process::Signal;

use super::mixed::{Mixed, WRITES, count};
use crate::sandbox::{Fault, Process, Ran};

/// Syncs one object after the other through a proxy that can signal the program.
async fn sync(
    mixed: &Mixed,
    faults: impl Fn(&Process, &Method, &Uri) -> Fault + Send + Sync + 'static,
) -> (Ran, Vec<String>) {
    let process = Process::default();
    let known = process.clone();
    let decide = move |method: &Method, uri: &Uri| faults(&process, method, uri);
    let proxy = mixed.sandbox.proxy(decide).await;
    let arguments = ["sync", "-v9", "-f", "-", "--parallelism=1"];
    let invocation = proxy.program(&arguments).stdin(&mixed.rule);
    let ran = invocation.known_as(&known).run().await;
    (ran, proxy.requests())
}

/// Sends the signal with the first request of which this holds, while the program waits for an answer.
fn signals_once(
    holds: fn(&Method) -> bool,
    signal: Signal,
) -> impl Fn(&Process, &Method, &Uri) -> Fault {
    let sent = AtomicBool::new(false);
    move |process, method, _| {
        if !holds(method) || sent.swap(true, Ordering::SeqCst) {
            return Fault::None;
        }
        let process = process.clone();
        Fault::after(async move {
            process.signal(signal);
            // Whoever is answered at once may begin the next write before it hears the signal.
            tokio::time::sleep(Duration::from_millis(500)).await;
        })
    }
}

#[tokio::test]
async fn each_signal_has_its_exit_code() {
    join_all(
        [(Signal::INT, 130), (Signal::TERM, 143)].map(async |(signal, code)| {
            let mixed = Mixed::new(&format!("signal-{code}")).await;
            let faults = signals_once(|method| WRITES.contains(method), signal);
            let (ran, requests) = sync(&mixed, faults).await;
            let ran = ran.failed_with(code).says("interrupted: 1 ");
            ran.says("; 2 not reached, run it again to continue");
            let writes = WRITES.iter().map(|method| count(&requests, method));
            assert_eq!(writes.sum::<usize>(), 1, "{requests:#?}");
            mixed.recovers().await;
        }),
    )
    .await;
}

#[tokio::test]
async fn before_the_first_write_nothing_is_written() {
    join_all(
        [(Signal::INT, 130), (Signal::TERM, 143)].map(async |(signal, code)| {
            let mixed = Mixed::new(&format!("signal-early-{code}")).await;
            let (ran, _) = sync(&mixed, signals_once(|_| true, signal)).await;
            ran.failed_with(code).says("nothing was written");
            mixed.is_as_before().await;
            mixed.recovers().await;
        }),
    )
    .await;
}

#[tokio::test]
async fn the_second_signal_waits_for_nothing() {
    join_all(
        [(Signal::INT, 130), (Signal::TERM, 143)].map(async |(signal, code)| {
            let mixed = Mixed::new(&format!("signal-twice-{code}")).await;
            let (ran, _) = sync(&mixed, move |process, method, _| {
                let process = process.clone();
                // Two signals at once could be heard as one.
                let insists = async move {
                    loop {
                        process.signal(signal);
                        tokio::time::sleep(Duration::from_millis(50)).await;
                    }
                };
                if WRITES.contains(method) {
                    Fault::instead(insists)
                } else {
                    Fault::None
                }
            })
            .await;
            ran.failed_with(code);
            mixed.recovers().await;
        }),
    )
    .await;
}

#[tokio::test]
async fn nobody_has_to_wait_until_the_server_wants_requests_again() {
    let mixed = Mixed::new("signal-busy").await;
    let begun = Instant::now();
    let (ran, _) = sync(&mixed, |process, method, _| {
        if WRITES.contains(method) {
            process.signal(Signal::INT);
            Fault::Answer(StatusCode::TOO_MANY_REQUESTS, &[("retry-after", "60")], "")
        } else {
            Fault::None
        }
    })
    .await;
    ran.failed_with(130).says("interrupted: nothing done in ");
    assert!(begun.elapsed() < Duration::from_secs(30));
    mixed.is_as_before().await;
    mixed.recovers().await;
}

#[tokio::test]
async fn a_write_of_which_nothing_is_known_is_not_passed_over() {
    join_all(WRITES.map(async |method| {
        let mixed = Mixed::new(&format!("signal-blind-{}", method.as_str().to_lowercase())).await;
        let blind = method.clone();
        let (ran, requests) = sync(&mixed, move |process, method, _| {
            if *method == blind {
                process.signal(Signal::INT);
                Fault::AnswerAfterwards(StatusCode::GATEWAY_TIMEOUT)
            } else {
                Fault::None
            }
        })
        .await;
        let ran = ran.says("1 failed").says("504 Gateway Timeout");
        assert_ne!(ran.code(), 0, "{ran:#?}");
        assert_eq!(count(&requests, &method), 1, "{ran:#?} {requests:#?}");
        mixed.recovers().await;
    }))
    .await;
}
