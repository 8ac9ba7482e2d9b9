//! Sends one request and reads its whole answer, within a time.

use std::time::Duration;

use bytes::Bytes;
use http::{Method, Request, StatusCode, header, response::Parts};
use http_body_util::BodyExt;
use kube::{Client, client::Body};
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tracing::{Level, event};

use super::failure;
use crate::reconcile::{Depth, Failure};

/// What the answer to a request is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// One object.
    Object,
    /// A collection.
    Collection,
}

/// No answer takes longer than this unless asked for: the API server itself gives up after 60 s.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(90);

/// How long the requests that are under way when a run's time is up are waited for.
const GRACE: Duration = Duration::from_secs(5);

/// How long the requests that are under way when somebody wants an end are waited for: Kubernetes kills a pod
/// 30 s after it has told it to end, and what comes last takes some time, too
/// (<https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-termination>).
const LAST_REQUESTS: Duration = Duration::from_secs(15);

/// Sends requests.
pub struct Sender {
    client: Client,
    timeout: Duration,
    deadline: Option<Instant>,
    stop: CancellationToken,
}

/// One request.
pub struct Outgoing {
    /// The method.
    pub method: Method,
    /// The path and the query string.
    pub uri: String,
    /// Whether the answer is one object or a collection.
    pub scale: Scale,
    /// How much of each object the answer brings.
    pub depth: Depth,
    /// The body and its media type.
    pub body: Option<(&'static str, String)>,
}

impl Sender {
    /// Sends through `client`; `timeout` bounds each request, and none means a generous default.
    pub fn new(client: Client, timeout: Option<Duration>) -> Self {
        Self {
            client,
            timeout: timeout.unwrap_or(DEFAULT_TIMEOUT),
            deadline: None,
            stop: CancellationToken::new(),
        }
    }

    /// Waits for no answer any more shortly after `deadline`.
    #[must_use]
    pub fn until(self, deadline: Option<Instant>) -> Self {
        Self { deadline, ..self }
    }

    /// Doesn't wait long for answers any more once somebody wants an end.
    #[must_use]
    pub fn stopped_by(self, stop: CancellationToken) -> Self {
        Self { stop, ..self }
    }

    /// The client, for what has no end.
    pub fn client(&self) -> Client {
        self.client.clone()
    }

    /// How long an answer is waited for. What is begun after the deadline is the end of something that
    /// was begun before, and gets the same few seconds.
    fn patience(&self) -> Duration {
        let left = self
            .deadline
            .map(|deadline| deadline.saturating_duration_since(Instant::now()) + GRACE);
        left.map_or(self.timeout, |left| left.min(self.timeout))
    }

    /// Sends a request and gives the body of its successful answer.
    pub async fn send(&self, outgoing: Outgoing) -> Result<Bytes, Failure> {
        let mut body = Vec::new();
        self.receive(outgoing, |part| {
            body.extend_from_slice(part);
            Ok(())
        })
        .await?;
        Ok(body.into())
    }

    /// Sends a request and hands on the body of its successful answer, part by part as it arrives.
    pub async fn receive(
        &self,
        outgoing: Outgoing,
        hand_on: impl FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let (method, uri) = (outgoing.method.clone(), outgoing.uri.clone());
        let (begun, patience) = (Instant::now(), self.patience());
        let exchanged = timeout(patience, self.exchange(outgoing, hand_on));
        let result = tokio::select! {
            exchanged = exchanged => exchanged.unwrap_or_else(|_| Err(Failure::TimedOut(in_tenths(patience)))),
            () = self.last_moment() => Err(Failure::TimedOut(in_tenths(begun.elapsed()))),
        };
        let milliseconds = begun.elapsed().as_millis();
        let end = match &result {
            Ok((status, _)) => status.to_string(),
            Err(failure) => format!("failed: {failure}"),
        };
        event!(Level::DEBUG, "{method} {uri} {end} in {milliseconds} ms");
        result?.1
    }

    /// When nobody waits any longer because an end is wanted.
    async fn last_moment(&self) {
        self.stop.cancelled().await;
        sleep(LAST_REQUESTS).await;
    }

    /// The status of the answer, and what it means.
    async fn exchange(
        &self,
        outgoing: Outgoing,
        mut hand_on: impl FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Result<(StatusCode, Result<(), Failure>), Failure> {
        let answer = self.client.send(outgoing.into_request()?).await;
        let answer = answer.map_err(|error| failure::from_transport(&error))?;
        let (parts, mut body) = answer.into_parts();
        let mut refusal = Vec::new();
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|error| Failure::ConnectionLost(error.to_string()))?;
            match frame.into_data() {
                Ok(part) if parts.status.is_success() => hand_on(&part)?,
                Ok(part) => refusal.extend_from_slice(&part),
                // Trailers say nothing that we need.
                Err(_) => {}
            }
        }
        let meaning = if parts.status.is_success() {
            Ok(())
        } else {
            let Parts {
                status, headers, ..
            } = &parts;
            Err(failure::from_answer(*status, headers, &refusal))
        };
        Ok((parts.status, meaning))
    }
}

/// A duration as a person reads it: what is left of a deadline has any number of digits.
fn in_tenths(duration: Duration) -> Duration {
    Duration::from_millis(100) * u32::try_from(duration.as_millis() / 100).unwrap_or(u32::MAX)
}

impl Outgoing {
    fn into_request(self) -> Result<Request<Body>, Failure> {
        let mut request = Request::builder()
            .method(self.method)
            .uri(self.uri)
            .header(header::ACCEPT, accept(self.scale, self.depth));
        let body = match self.body {
            Some((media_type, body)) => {
                request = request.header(header::CONTENT_TYPE, media_type);
                Body::from(body.into_bytes())
            }
            None => Body::empty(),
        };
        request
            .body(body)
            .map_err(|error| Failure::Malformed(error.to_string()))
    }
}

/// Metadata alone is asked for as a transformed representation
/// (<https://kubernetes.io/docs/reference/using-api/api-concepts/#metadata-only-fetches>).
pub fn accept(scale: Scale, depth: Depth) -> &'static str {
    match (depth, scale) {
        (Depth::Full, _) => "application/json",
        (Depth::Metadata, Scale::Object) => {
            "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
        }
        (Depth::Metadata, Scale::Collection) => {
            "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
        }
    }
}
