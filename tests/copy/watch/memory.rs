//! Memory after much coming and going: what is gone is forgotten.

use super::watched::ends;
use crate::sandbox::{Running, Sandbox, secret};

/// How many originals come and go in a cycle, and how large each is.
const ORIGINALS: usize = 5;
const SIZE: usize = 800_000;

/// Originals with names that never were come, are copied, and go.
async fn cycle(sandbox: &Sandbox, cycle: usize) {
    let value = "x".repeat(SIZE);
    let name = |number| format!("cert-{cycle}-{number}");
    for number in 0..ORIGINALS {
        let one = secret(&name(number), &[("key", &value)]);
        sandbox.create_secret("source", &one).await;
    }
    for number in 0..ORIGINALS {
        sandbox
            .eventually("team-a", &name(number), |copy| copy.is_some())
            .await;
    }
    for number in 0..ORIGINALS {
        sandbox.delete_secret("source", &name(number)).await;
    }
    for number in 0..ORIGINALS {
        sandbox
            .eventually("team-a", &name(number), |copy| copy.is_none())
            .await;
    }
}

async fn cycles(sandbox: &Sandbox, running: &Running, numbers: std::ops::Range<usize>) -> u64 {
    for number in numbers {
        cycle(sandbox, number).await;
    }
    running.resident()
}

#[tokio::test]
async fn what_has_come_and_gone_is_not_held() {
    let sandbox = Sandbox::with_source("watch-memory", &["team-a"]).await;
    let rule = sandbox.rule_with("Secret", "names: [\"cert-*\"]", "");
    let running = sandbox.watch(&rule).await;
    let before = cycles(&sandbox, &running, 0..3).await;
    let after = cycles(&sandbox, &running, 3..11).await;
    // Eight cycles bring 32 MB of originals alone; what the allocator keeps from its busiest moment is less.
    assert!(after < before + 16 * 1024, "{before} KiB, then {after} KiB");
    ends(running).await;
    sandbox.is_in_step(&rule).await;
}
