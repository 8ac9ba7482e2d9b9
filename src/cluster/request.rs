//! Sends one request and reads its whole answer, within a time.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method, Request, StatusCode, header};
use http_body_util::BodyExt;
use kube::{Client, client::Body};
use tokio::time::timeout;
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

/// Sends requests.
pub struct Sender {
    client: Client,
    timeout: Duration,
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
        }
    }

    /// Sends a request and gives the body of its successful answer.
    pub async fn send(&self, outgoing: Outgoing) -> Result<Bytes, Failure> {
        let (method, uri) = (outgoing.method.clone(), outgoing.uri.clone());
        let begun = tokio::time::Instant::now();
        let result = match timeout(self.timeout, self.exchange(outgoing)).await {
            Ok(result) => result,
            Err(_) => Err(Failure::TimedOut(self.timeout)),
        };
        let milliseconds = begun.elapsed().as_millis();
        let end = match &result {
            Ok((status, ..)) => status.to_string(),
            Err(failure) => format!("failed: {failure}"),
        };
        event!(Level::DEBUG, "{method} {uri} {end} in {milliseconds} ms");
        let (status, headers, body) = result?;
        if status.is_success() {
            Ok(body)
        } else {
            Err(failure::from_answer(status, &headers, &body))
        }
    }

    async fn exchange(
        &self,
        outgoing: Outgoing,
    ) -> Result<(StatusCode, HeaderMap, Bytes), Failure> {
        let answer = self.client.send(outgoing.into_request()?).await;
        let (parts, body) = answer
            .map_err(|error| failure::from_transport(&error))?
            .into_parts();
        let body = body
            .collect()
            .await
            .map_err(|error| Failure::ConnectionLost(error.to_string()))?;
        Ok((parts.status, parts.headers, body.to_bytes()))
    }
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
fn accept(scale: Scale, depth: Depth) -> &'static str {
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
