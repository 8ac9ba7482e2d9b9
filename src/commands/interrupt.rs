//! Ctrl-C and its kin: the first ends the work cleanly, the second ends the program.

use std::time::Duration;

use tokio::{task::JoinHandle, time::sleep};
use tokio_util::sync::CancellationToken;

use crate::exit::Signal;

/// Most runs end within this time, and then nothing need be said.
const PATIENCE: Duration = Duration::from_secs(1);

/// Cancels the token at the first SIGINT or SIGTERM, says so if the end takes a while, and ends the program
/// at the second.
pub fn listen(cancellation: &CancellationToken, say_stopping: fn()) -> JoinHandle<()> {
    let cancellation = cancellation.clone();
    tokio::spawn(async move {
        let first = signal().await;
        first.has_come();
        cancellation.cancel();
        tokio::select! {
            _ = signal() => end_at_once(first),
            () = sleep(PATIENCE) => say_stopping(),
        }
        signal().await;
        end_at_once(first);
    })
}

#[cfg(unix)]
async fn signal() -> Signal {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminate) = signal(SignalKind::terminate()) else {
        return interrupt().await;
    };
    tokio::select! {
        interrupt = interrupt() => interrupt,
        _ = terminate.recv() => Signal::Terminate,
    }
}

#[cfg(not(unix))]
async fn signal() -> Signal {
    interrupt().await
}

/// Where no signal can be listened to, none is ever heard.
async fn interrupt() -> Signal {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
    Signal::Interrupt
}

#[expect(
    clippy::exit,
    reason = "somebody who asks twice doesn't want to wait for requests in flight"
)]
fn end_at_once(first: Signal) {
    std::process::exit(first.code().into());
}
