//! Ctrl-C and its kin: the first ends the work cleanly, the second ends the program.

use std::time::Duration;

use tokio::{task::JoinHandle, time::sleep};
use tokio_util::sync::CancellationToken;

use crate::output;

/// Most runs end within this time, and then nothing need be said.
const PATIENCE: Duration = Duration::from_secs(1);

/// Cancels the token at the first SIGINT or SIGTERM, and ends the program at the second.
pub fn listen(cancellation: &CancellationToken) -> JoinHandle<()> {
    let cancellation = cancellation.clone();
    tokio::spawn(async move {
        signal().await;
        cancellation.cancel();
        tokio::select! {
            () = signal() => end_at_once(),
            () = sleep(PATIENCE) => output::say_stopping(),
        }
        signal().await;
        end_at_once();
    })
}

#[cfg(unix)]
async fn signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminate) = signal(SignalKind::terminate()) else {
        return interrupt().await;
    };
    tokio::select! {
        () = interrupt() => (),
        _ = terminate.recv() => (),
    }
}

#[cfg(not(unix))]
async fn signal() {
    interrupt().await;
}

/// Where no signal can be listened to, none is ever heard.
async fn interrupt() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

#[expect(
    clippy::exit,
    reason = "somebody who asks twice doesn't want to wait for requests in flight"
)]
fn end_at_once() {
    std::process::exit(130);
}
