//! What can go wrong with a request on its way to the API server and back.

use std::{convert::Infallible, future::Future, time::Duration};

use futures::{FutureExt as _, future::BoxFuture, stream};
use http::{Response, StatusCode};
use http_body_util::{BodyExt as _, Full, StreamBody, combinators::UnsyncBoxBody};
use hyper::body::{Bytes, Frame};
use serde_json::json;

/// Something that happens while the proxy holds a request, or its answer.
pub type Meanwhile = BoxFuture<'static, ()>;

/// What the proxy does with a request.
pub enum Fault {
    /// Passes it on.
    None,
    /// Passes it on with another path and query.
    Rewrite(String),
    /// Answers it itself, without passing it on.
    Answer(
        StatusCode,
        &'static [(&'static str, &'static str)],
        &'static str,
    ),
    /// Answers it itself with a `Status` of this reason and message.
    Refuse(StatusCode, &'static str, String),
    /// Passes it on, and throws the answer away for one of its own.
    AnswerAfterwards(StatusCode),
    /// Answers it itself, and quotes a piece of a value in the request, as a firewall may.
    QuoteRequest(StatusCode),
    /// Passes it on, and answers with this status and a piece of a value in the API server's answer.
    QuoteAnswer(StatusCode),
    /// Passes it on, and answers with half of the body as if it were whole.
    HalfAnswer,
    /// Closes the connection once the head is read.
    CutBeforeBody,
    /// Closes the connection once all is read, and passes nothing on.
    CutBeforehand,
    /// Passes it on, and closes the connection instead of answering.
    CutAfterwards,
    /// Passes it on, and closes the connection in the middle of the answer's body.
    CutInAnswer,
    /// Lets this happen, and closes the connection.
    Instead(Meanwhile),
    /// Passes it on once this has happened, even if nobody waits for the answer any more.
    After(Meanwhile),
    /// Passes it on, and answers once this has happened.
    Then(Meanwhile),
}

/// Closes the connection: the server drops it when the service or the body fails.
#[derive(Debug, thiserror::Error)]
#[error("cut")]
pub(super) struct Cut;

/// An answer, whose body may break off.
pub(super) type Answer = Response<UnsyncBoxBody<Bytes, Cut>>;

impl Fault {
    /// Lets something happen, then passes the request on.
    pub fn after(happens: impl Future<Output = ()> + Send + 'static) -> Self {
        Self::After(happens.boxed())
    }

    /// Lets something happen, and passes nothing on.
    pub fn instead(happens: impl Future<Output = ()> + Send + 'static) -> Self {
        Self::Instead(happens.boxed())
    }

    /// Passes the request on, and lets something happen before it answers.
    pub fn then(happens: impl Future<Output = ()> + Send + 'static) -> Self {
        Self::Then(happens.boxed())
    }

    /// Passes the request on, and keeps the answer back for a while.
    pub fn slow_answer(delay: Duration) -> Self {
        Self::then(tokio::time::sleep(delay))
    }

    /// Passes the request on after a while.
    pub fn slow_request(delay: Duration) -> Self {
        Self::after(tokio::time::sleep(delay))
    }
}

pub(super) fn respond(
    status: StatusCode,
    headers: &[(&str, &str)],
    body: impl Into<Bytes>,
) -> Answer {
    let builder = Response::builder().status(status);
    let builder = headers.iter().fold(builder, |builder, (name, value)| {
        builder.header(*name, *value)
    });
    builder
        .body(whole(body.into()))
        .expect("the test's answer is valid")
}

pub(super) fn refuse(code: StatusCode, reason: &str, message: &str) -> Answer {
    let status = json!({
        "kind": "Status", "apiVersion": "v1", "status": "Failure",
        "code": code.as_u16(), "reason": reason, "message": message,
    });
    let headers = [("content-type", "application/json")];
    respond(code, &headers, status.to_string())
}

/// A piece of a value from a body that has one; nothing from others.
pub(super) fn piece_of_value(body: &Bytes) -> Bytes {
    const KEY: &[u8] = b"{\"password\":\"";
    let at = body.windows(KEY.len()).position(|window| window == KEY);
    let piece = |at: usize| body.slice(at + KEY.len() + 1..at + KEY.len() + 20);
    at.map(piece).unwrap_or_default()
}

pub(super) fn whole(body: Bytes) -> UnsyncBoxBody<Bytes, Cut> {
    let never = |never: Infallible| match never {};
    Full::new(body).map_err(never).boxed_unsync()
}

pub(super) fn broken_off(body: &Bytes) -> UnsyncBoxBody<Bytes, Cut> {
    let half = Frame::data(body.slice(..body.len() / 2));
    StreamBody::new(stream::iter([Ok(half), Err(Cut)])).boxed_unsync()
}
