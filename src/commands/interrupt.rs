//! Ctrl-C and its kin: the first ends the work cleanly, the second ends the program.

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Cancels the token at the first SIGINT or SIGTERM, and ends the program at the second.
pub fn listen(cancellation: &CancellationToken) -> JoinHandle<()> {
    let cancellation = cancellation.clone();
    tokio::spawn(async move {
        signal().await;
        cancellation.cancel();
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
