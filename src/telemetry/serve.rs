//! Serves what is asked for over HTTP, on a thread of its own: a controller that works hard still answers.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    sync::Arc,
    thread::{self, JoinHandle},
    time::Duration,
};

use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::TcpStream,
    sync::Semaphore,
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use super::Telemetry;

/// How long a client may take for the head of a request, and keep a connection without one.
const HEAD: Duration = Duration::from_secs(5);
/// How long a connection lasts, whatever is asked for over it.
const CONNECTION: Duration = Duration::from_mins(1);
/// How large the head of a request may be, in bytes.
const HEAD_SIZE: usize = 16 * 1024;
/// How many connections are served at once; others wait until one is closed.
const CONNECTIONS: usize = 64;
/// How long is waited before connections are accepted again, when the process has no files left.
const EXHAUSTED: Duration = Duration::from_millis(200);

/// A server that runs until it is dropped.
#[derive(Debug)]
pub struct HealthServer {
    address: SocketAddr,
    stop: CancellationToken,
    thread: Option<JoinHandle<()>>,
}

/// Nothing can be served.
#[derive(Debug, thiserror::Error)]
#[error("cannot serve health and metrics on {address}: {source}")]
pub struct ServeError {
    /// Where it was to be served.
    pub address: SocketAddr,
    /// Why it can't be.
    pub source: io::Error,
}

impl HealthServer {
    /// Serves at this address; port 0 is any that is free.
    pub fn start(address: SocketAddr, telemetry: Telemetry) -> Result<Self, ServeError> {
        Self::try_start(address, telemetry).map_err(|source| ServeError { address, source })
    }

    fn try_start(address: SocketAddr, telemetry: Telemetry) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let serving = thread::Builder::new().name("health".to_owned());
        let thread = serving.spawn(move || {
            runtime.block_on(async {
                tokio::select! {
                    () = stopped.cancelled() => {}
                    () = serve(listener, telemetry) => {}
                }
            });
        })?;
        Ok(Self {
            address,
            stop,
            thread: Some(thread),
        })
    }

    /// Where it serves.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for HealthServer {
    fn drop(&mut self) {
        self.stop.cancel();
        if let Some(thread) = self.thread.take() {
            // A panic in it has been told by itself.
            let _ = thread.join();
        }
    }
}

async fn serve(listener: TcpListener, telemetry: Telemetry) {
    let listener = tokio::net::TcpListener::from_std(listener);
    let listener = listener.expect("a listener that doesn't block is taken over");
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let permit = Arc::clone(&room).acquire_owned().await;
        let permit = permit.expect("the semaphore is never closed");
        match listener.accept().await {
            Ok((stream, _)) => {
                let telemetry = telemetry.clone();
                tokio::spawn(async move {
                    let _permit = permit;
                    // Whoever is too slow is let go of: there is nobody to tell.
                    let _ = timeout(CONNECTION, converse(stream, telemetry)).await;
                });
            }
            Err(_) => sleep(EXHAUSTED).await,
        }
    }
}

async fn converse(stream: TcpStream, telemetry: Telemetry) {
    let service = service_fn(|request| std::future::ready(telemetry.answer(&request)));
    // A client that goes away, or sends nonsense, is no trouble of ours.
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(HEAD_SIZE)
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

#[cfg(test)]
#[path = "serve_tests.rs"]
mod tests;
