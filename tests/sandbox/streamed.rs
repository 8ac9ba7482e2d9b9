//! Watches that pass through the proxy as they go on, and the ways in which they end.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use futures::stream;
use http_body_util::{BodyExt, StreamBody, combinators::UnsyncBoxBody};
use hyper::body::{Bytes, Frame};
use kube::client::Body;
use tokio::sync::broadcast;

use super::fault::Cut;

/// How the watches end that are under way.
#[derive(Clone)]
enum End {
    /// The connection is lost.
    Cut,
    /// The last thing that is told is this.
    With(String),
}

/// What all watches have in common that pass through a proxy.
#[derive(Clone)]
pub(super) struct Watches {
    ends: broadcast::Sender<End>,
    deaf: Arc<AtomicBool>,
}

impl Watches {
    pub(super) fn new() -> Self {
        Self {
            ends: broadcast::Sender::new(16),
            deaf: Arc::default(),
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

    /// Passes a watch through.
    pub(super) fn pass(&self, body: Body) -> UnsyncBoxBody<Bytes, Cut> {
        let (ends, deaf) = (self.ends.subscribe(), Arc::clone(&self.deaf));
        let frames = stream::unfold(Some((body, ends)), move |state| {
            let deaf = Arc::clone(&deaf);
            async move {
                let (mut body, mut ends) = state?;
                loop {
                    let frame = tokio::select! {
                        frame = body.frame() => frame,
                        Ok(end) = ends.recv() => return Some((last(end), None)),
                    };
                    let frame = frame?.map_err(|_| Cut);
                    if !deaf.load(Ordering::SeqCst) || frame.is_err() {
                        return Some((frame, Some((body, ends))));
                    }
                }
            }
        });
        StreamBody::new(frames).boxed_unsync()
    }
}

fn last(end: End) -> Result<Frame<Bytes>, Cut> {
    match end {
        End::Cut => Err(Cut),
        End::With(text) => Ok(Frame::data(text.into())),
    }
}
