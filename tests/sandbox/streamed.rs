//! Watches that pass through the proxy as they go on, what is told on them that isn't so, and the ways in which
//! they end.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use futures::stream;
use http::Uri;
use http_body_util::{BodyExt, StreamBody, combinators::UnsyncBoxBody};
use hyper::body::{Bytes, Frame};
use kube::client::Body;
use tokio::sync::{broadcast, mpsc, watch};

use super::fault::Cut;

/// How the watches end that are under way.
#[derive(Clone)]
enum End {
    /// The connection is lost.
    Cut,
    /// The last thing that is told is this.
    With(String),
}

/// Where a watch takes what the test wants to have told on it.
#[derive(Clone)]
struct Open {
    uri: String,
    ear: mpsc::UnboundedSender<String>,
}

impl Open {
    fn is_of(&self, path: &str) -> bool {
        !self.ear.is_closed() && self.uri.contains(path)
    }
}

/// What all watches have in common that pass through a proxy.
#[derive(Clone)]
pub(super) struct Watches {
    ends: broadcast::Sender<End>,
    deaf: Arc<AtomicBool>,
    open: Arc<watch::Sender<Vec<Open>>>,
}

impl Watches {
    pub(super) fn new() -> Self {
        Self {
            ends: broadcast::Sender::new(16),
            deaf: Arc::default(),
            open: Arc::new(watch::Sender::new(Vec::new())),
        }
    }

    pub(super) fn cut(&self) {
        // Nobody may be watching just now.
        let _ = self.ends.send(End::Cut);
    }

    pub(super) fn end_with(&self, last: &str) {
        let _ = self.ends.send(End::With(last.to_owned()));
    }

    pub(super) fn swallow(&self, swallow: bool) {
        self.deaf.store(swallow, Ordering::SeqCst);
    }

    /// Tells a line on the watches whose URI has this in it, as soon as there is one.
    pub(super) async fn tell(&self, path: &str, line: &str) {
        let mut open = self.open.subscribe();
        let is_there = |open: &Vec<Open>| open.iter().any(|one| one.is_of(path));
        let open = open.wait_for(is_there).await;
        let open = open.expect("the sender is our own").clone();
        for one in open.iter().filter(|one| one.is_of(path)) {
            // It may have ended just now.
            let _ = one.ear.send(line.to_owned());
        }
    }

    /// Passes a watch through.
    pub(super) fn pass(&self, uri: &Uri, body: Body) -> UnsyncBoxBody<Bytes, Cut> {
        let (ear, told) = mpsc::unbounded_channel();
        let passing = Passing {
            body,
            ends: self.ends.subscribe(),
            told,
            deaf: Arc::clone(&self.deaf),
            is_between_lines: true,
        };
        let uri = uri.to_string();
        self.open.send_modify(|open| open.push(Open { uri, ear }));
        let frames = stream::unfold(Some(passing), async |state| state?.next().await);
        StreamBody::new(frames).boxed_unsync()
    }
}

/// A watch that passes through.
struct Passing {
    body: Body,
    ends: broadcast::Receiver<End>,
    told: mpsc::UnboundedReceiver<String>,
    deaf: Arc<AtomicBool>,
    is_between_lines: bool,
}

impl Passing {
    /// The next frame, and what comes after it.
    async fn next(mut self) -> Option<(Result<Frame<Bytes>, Cut>, Option<Self>)> {
        loop {
            let frame = tokio::select! {
                frame = self.body.frame() => frame?.map_err(|_| Cut),
                Ok(end) = self.ends.recv() => return Some((last(end), None)),
                Some(line) = self.told.recv(), if self.is_between_lines => {
                    return Some((Ok(Frame::data(line.into())), Some(self)));
                }
            };
            if let Some(data) = frame.as_ref().ok().and_then(Frame::data_ref) {
                self.is_between_lines = data.ends_with(b"\n");
            }
            if !self.deaf.load(Ordering::SeqCst) || frame.is_err() {
                return Some((frame, Some(self)));
            }
        }
    }
}

fn last(end: End) -> Result<Frame<Bytes>, Cut> {
    match end {
        End::Cut => Err(Cut),
        End::With(text) => Ok(Frame::data(text.into())),
    }
}
