//! What is answered to whoever asks over HTTP: a kubelet, and Prometheus.

use std::{convert::Infallible, sync::Arc};

use bytes::Bytes;
use http::{
    HeaderValue, Method, Request, Response, StatusCode,
    header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE},
};
use http_body_util::Full;

use super::{Health, Metrics};

const TEXT: &str = "text/plain; charset=utf-8";
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// What can be asked about.
#[derive(Clone, Debug)]
pub struct Telemetry {
    /// What is counted.
    pub metrics: Arc<Metrics>,
    /// Whether it lives and is ready.
    pub health: Arc<Health>,
}

impl Telemetry {
    /// Answers one request. What its body may be is never read.
    pub fn answer<B>(&self, request: &Request<B>) -> Result<Response<Full<Bytes>>, Infallible> {
        let page = match request.uri().path() {
            "/healthz" => verdict(self.health.standstill().as_slice()),
            "/readyz" => verdict(&self.health.unready()),
            "/metrics" => (StatusCode::OK, OPEN_METRICS, self.metrics.render()),
            _ => {
                let known = "there is only /healthz, /readyz and /metrics\n";
                (StatusCode::NOT_FOUND, TEXT, known.to_owned())
            }
        };
        let is_read = [Method::GET, Method::HEAD].contains(request.method());
        let (status, content_type, text) = if is_read {
            page
        } else {
            let allowed = "only GET and HEAD are answered\n".to_owned();
            (StatusCode::METHOD_NOT_ALLOWED, TEXT, allowed)
        };
        let mut response = Response::new(Full::from(text));
        *response.status_mut() = status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if !is_read {
            headers.insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        }
        Ok(response)
    }
}

/// 200, or 503 with what is wrong.
fn verdict(wrong: &[String]) -> (StatusCode, &'static str, String) {
    if wrong.is_empty() {
        (StatusCode::OK, TEXT, "ok\n".to_owned())
    } else {
        let lines = wrong.join("\n") + "\n";
        (StatusCode::SERVICE_UNAVAILABLE, TEXT, lines)
    }
}
