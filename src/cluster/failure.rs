//! Tells apart why a request failed, from the answer or from the lack of one.

use std::time::Duration;

use http::{HeaderMap, StatusCode, header::RETRY_AFTER};
use serde::Deserialize;

use super::{ConnectError, transport};
use crate::reconcile::Failure;

/// The part of a `meta/v1` Status that says what went wrong.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Status {
    message: String,
    reason: String,
    details: Details,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Details {
    causes: Vec<Cause>,
    retry_after_seconds: u64,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Cause {
    reason: String,
}

/// How the message about an answer begins that isn't a Status.
pub const NO_STATUS: &str = "the server answered ";

/// The longest answer that isn't a Status of which a message quotes the beginning.
const LONGEST_QUOTE: usize = 200;

/// Why the API server refused, from its answer.
pub fn from_answer(code: StatusCode, headers: &HeaderMap, body: &[u8]) -> Failure {
    let mut status: Status = serde_json::from_slice(body).unwrap_or_default();
    if status.message.is_empty() {
        status.message = quote(code, body);
    }
    let retry_after = retry_after(headers, &status.details);
    meaning(code.as_u16(), status, retry_after)
}

/// Why the API server ended a watch, or didn't begin it, from what it says of that.
pub fn from_status(status: &kube::core::Status) -> Failure {
    let details = status.details.as_ref();
    let asked = details.map_or(0, |details| details.retry_after_seconds);
    let own = Status {
        message: status.message.clone(),
        reason: status.reason.clone(),
        details: Details::default(),
    };
    let retry_after = Some(asked).filter(|seconds| *seconds > 0);
    let retry_after = retry_after.map(|seconds| Duration::from_secs(seconds.into()));
    meaning(status.code, own, retry_after)
}

fn meaning(code: u16, status: Status, retry_after: Option<Duration>) -> Failure {
    let terminating = status
        .details
        .causes
        .iter()
        .any(|cause| cause.reason == "NamespaceTerminating");
    let message = status.message;
    match code {
        401 => Failure::Unauthorized(message),
        403 if terminating => Failure::NamespaceTerminating,
        403 => Failure::Forbidden(message),
        // Anything else that answers 404 (a proxy that has lost its way) says nothing of the object.
        404 if status.reason == "NotFound" => Failure::NotFound(message),
        409 if status.reason == "AlreadyExists" => Failure::AlreadyExists(message),
        409 => Failure::Conflict(message),
        410 => Failure::Expired(message),
        429 => Failure::Throttled {
            message,
            retry_after,
        },
        status @ 500.. => Failure::Server {
            status,
            message,
            retry_after,
        },
        status => Failure::Refused { status, message },
    }
}

fn retry_after(headers: &HeaderMap, details: &Details) -> Option<Duration> {
    let header = headers
        .get(RETRY_AFTER)
        .and_then(|value| value.to_str().ok()?.parse().ok());
    let seconds = header.or(Some(details.retry_after_seconds).filter(|seconds| *seconds > 0));
    seconds.map(Duration::from_secs)
}

/// Something that isn't the API server (a proxy, a login page) answers in its own words.
fn quote(code: StatusCode, body: &[u8]) -> String {
    let text = String::from_utf8_lossy(&body[..body.len().min(LONGEST_QUOTE)]);
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() {
        format!("{NO_STATUS}{code}")
    } else {
        format!("{NO_STATUS}{code}: {line}")
    }
}

/// Why no answer came, from the client's error.
pub fn from_transport(error: &kube::Error) -> Failure {
    let description = transport::describe(error);
    if was_sent(error) {
        Failure::ConnectionLost(description)
    } else {
        Failure::NotConnected(description)
    }
}

/// Whether there was a connection, and credentials to send over it.
fn was_sent(error: &kube::Error) -> bool {
    !transport::sources(error).any(|source| {
        source.is::<ConnectError>()
            || source.is::<kube::client::AuthError>()
            || source
                .downcast_ref::<hyper_util::client::legacy::Error>()
                .is_some_and(hyper_util::client::legacy::Error::is_connect)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(code: u16, body: &str) -> Failure {
        from_answer(
            StatusCode::from_u16(code).unwrap(),
            &HeaderMap::new(),
            body.as_bytes(),
        )
    }

    #[test]
    fn a_terminating_namespace_is_not_a_missing_permission() {
        let body = r#"{"message":"m","reason":"Forbidden","details":{"causes":[{"reason":"NamespaceTerminating"}]}}"#;
        assert_eq!(answered(403, body), Failure::NamespaceTerminating);
        assert_eq!(
            answered(403, r#"{"message":"m"}"#),
            Failure::Forbidden("m".into())
        );
    }

    #[test]
    fn the_two_kinds_of_409_are_told_apart() {
        assert_eq!(
            answered(409, r#"{"message":"m","reason":"AlreadyExists"}"#),
            Failure::AlreadyExists("m".into())
        );
        assert_eq!(
            answered(409, r#"{"message":"m","reason":"Conflict"}"#),
            Failure::Conflict("m".into())
        );
    }

    #[test]
    fn retry_after_comes_from_the_header_or_the_status() {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, "3".parse().unwrap());
        let from_header = from_answer(StatusCode::TOO_MANY_REQUESTS, &headers, b"{}");
        assert_eq!(from_header.retry_after(), Some(Duration::from_secs(3)));
        let from_status = answered(429, r#"{"details":{"retryAfterSeconds":7}}"#);
        assert_eq!(from_status.retry_after(), Some(Duration::from_secs(7)));
        assert_eq!(answered(429, "{}").retry_after(), None);
    }

    #[test]
    fn an_answer_of_something_else_is_quoted_shortly() {
        let page = format!("<html>\n  sign in{}", "x".repeat(5000));
        let Failure::Refused {
            status: 418,
            message,
        } = answered(418, &page)
        else {
            panic!()
        };
        assert!(message.starts_with("the server answered 418"), "{message}");
        assert!(
            message.contains("<html> sign in") && message.len() < 300,
            "{message}"
        );
    }
}
