//! Watches: one long answer of the API server, which tells every change of a collection as it happens.

use std::time::Duration;

use futures::{Stream, StreamExt, future, stream};
use http::{Method, Request, header};
use kube::{Client, core::WatchEvent};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::time::timeout;

use super::{
    api_server::{list_error, shape_failure},
    discretion::discreet,
    failure,
    request::{Scale, accept},
    urls,
};
use crate::reconcile::{
    ApiError, Failure, Message, Query, RawObject, UnexpectedShape, Verb, Watched,
};

/// How long the API server lets one watch go on: it is then begun anew where it ended. Shorter than the
/// five to ten minutes that it would choose itself, because a connection that was lost without a word
/// isn't noticed before.
const LIFETIME: Duration = Duration::from_mins(4);

/// How much longer a watch is waited for that should have ended.
const GRACE: Duration = Duration::from_secs(10);

/// An object as it came, until it is reduced. It may be a Secret.
#[derive(Clone, Deserialize)]
#[serde(transparent)]
struct Unread(Box<RawValue>);

#[derive(Deserialize)]
struct Versioned {
    metadata: Version,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Version {
    resource_version: Box<str>,
}

/// Follows the changes of a collection since a state of it.
#[expect(
    clippy::needless_pass_by_value,
    reason = "what the stream captures must not be borrowed"
)]
pub fn watch<T>(
    client: Client,
    query: Query,
    since: Box<str>,
    mut reduce: impl FnMut(RawObject<'_>) -> Result<Option<T>, UnexpectedShape>,
) -> impl Stream<Item = Result<Message<T>, ApiError>> {
    let request = request(&query, &since);
    let begun = async move { client.request_events::<Unread>(request?).await };
    let events = stream::once(begun).map(|begun| match begun {
        Ok(events) => events.left_stream(),
        Err(error) => stream::once(future::ready(Err(error))).right_stream(),
    });
    let events = bounded(events.flatten().boxed_local());
    events.map(move |event| {
        let message = event
            .map_err(|error| failure_of(&error))
            .and_then(|event| message(event, &mut reduce));
        message.map_err(|failure| error(&query, failure))
    })
}

/// Ends a watch from which nothing is heard although it should long have ended.
fn bounded<S: Stream + Unpin>(events: S) -> impl Stream<Item = S::Item> {
    stream::unfold(events, async |mut events| {
        let next = timeout(LIFETIME + GRACE, events.next()).await;
        next.ok().flatten().map(|event| (event, events))
    })
}

fn request(query: &Query, since: &str) -> Result<Request<Vec<u8>>, kube::Error> {
    let path = urls::collection(query.resource, query.namespace.as_ref());
    let parameters = urls::watch_parameters(query, since, LIFETIME);
    let request = Request::builder()
        .method(Method::GET)
        .uri(format!("{path}?{parameters}"))
        .header(header::ACCEPT, accept(Scale::Object, query.depth))
        .body(Vec::new());
    request.map_err(kube::Error::HttpError)
}

fn message<T>(
    event: WatchEvent<Unread>,
    mut reduce: impl FnMut(RawObject<'_>) -> Result<Option<T>, UnexpectedShape>,
) -> Result<Message<T>, Failure> {
    let mut read = |Unread(object): Unread| {
        let object = RawObject::from(&*object);
        let version = object.parse::<Versioned>().map_err(shape_failure)?;
        let reduced = reduce(object).map_err(shape_failure)?;
        Ok::<_, Failure>((version.metadata.resource_version, reduced))
    };
    let (resource_version, watched) = match event {
        WatchEvent::Added(object) | WatchEvent::Modified(object) => {
            let (version, reduced) = read(object)?;
            (version, reduced.map(Watched::Applied))
        }
        WatchEvent::Deleted(object) => {
            let (version, reduced) = read(object)?;
            (version, reduced.map(Watched::Deleted))
        }
        WatchEvent::Bookmark(bookmark) => (bookmark.metadata.resource_version.into(), None),
        WatchEvent::Error(status) => return Err(failure::from_status(&status)),
    };
    Ok(Message {
        watched: watched.unwrap_or(Watched::Nothing),
        resource_version,
    })
}

fn failure_of(error: &kube::Error) -> Failure {
    match error {
        kube::Error::Api(status) => failure::from_status(status),
        kube::Error::ReadEvents(error) => Failure::ConnectionLost(error.to_string()),
        // Its own text could quote the object.
        kube::Error::SerdeError(error) => Failure::Malformed(format!(
            "unexpected at line {}, column {}",
            error.line(),
            error.column()
        )),
        error => failure::from_transport(error),
    }
}

fn error(query: &Query, failure: Failure) -> ApiError {
    ApiError {
        verb: Verb::Watch,
        ..list_error(query, discreet(query.resource, failure))
    }
}
