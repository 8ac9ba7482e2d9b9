//! Refreshes that are stopped while a provider thinks.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::Value;

use super::{
    answers::{simple, today},
    desk::Desk,
    provider::Answer,
};
use crate::sandbox::Process;

/// Sooner than any time limit of ours would end a run.
const PROMPTLY: Duration = Duration::from_secs(15);

/// A desk whose provider never answers `slow`, and at once `quick`.
async fn slow(prefix: &str) -> Desk {
    let desk = Desk::new(prefix).await;
    desk.provider.answer("/slow.json", Answer::Never);
    let slow = format!("currency: USD, providers: [{}]", desk.at("/slow.json"));
    desk.apply("slow", &slow).await;
    desk.apply("quick", "currency: USD").await;
    desk
}

impl Desk {
    /// Asserts that nothing was written, neither ConfigMaps nor statuses.
    async fn is_untouched(&self) {
        for name in ["slow", "quick"] {
            assert!(self.configmap(name).await.is_none(), "{name}");
            assert_eq!(self.status(name).await, Value::Null, "{name}");
        }
    }
}

#[tokio::test]
async fn an_interrupted_run_ends_at_once_and_has_written_nothing() {
    for (prefix, signal, code) in [("er-int", Signal::INT, 130), ("er-term", Signal::TERM, 143)] {
        let desk = slow(prefix).await;
        let process = Process::default();
        let program = desk.program(&["refresh"]).known_as(&process);
        let interrupted = async {
            while !desk.provider.targets().contains(&"/slow.json".to_owned()) {
                desk.provider.is_asked().await;
            }
            process.signal(signal);
            Instant::now()
        };
        let (ran, begun) = tokio::join!(program.run(), interrupted);
        assert!(begun.elapsed() < PROMPTLY, "{:?}", begun.elapsed());
        ran.failed_with(code).says("nothing was written");
        desk.is_untouched().await;
    }
}

#[tokio::test]
async fn a_run_whose_time_is_up_ends_and_has_written_nothing() {
    let desk = slow("er-timeout").await;
    let begun = Instant::now();
    let ran = desk.run(&["refresh", "--timeout=1s"]).await.failed_with(1);
    assert!(begun.elapsed() < PROMPTLY + Duration::from_secs(1));
    ran.says("timed out after 1s; nothing was written");
    desk.is_untouched().await;
    desk.provider.has("/slow.json", simple(today(), "USD 1.08"));
    desk.run(&["refresh", "--timeout=1m"])
        .await
        .succeeded()
        .says("2 created");
}
