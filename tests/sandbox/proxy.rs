//! A proxy of the test's own between the program and the API server, which answers some requests
//! with faults.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};

use http::{Method, Request, Response, StatusCode, Uri};
use http_body_util::{BodyExt, Full};
use hyper::{
    body::{Bytes, Incoming},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use kube::{Client, client::Body};
use tokio::net::{TcpListener, TcpStream};

use super::{Invocation, Sandbox};

/// What the proxy does with a request.
pub enum Fault {
    /// Passes it on.
    None,
    /// Passes it on after this time.
    Late(Duration),
    /// Passes it on with another path and query.
    Rewrite(String),
    /// Answers it itself, without passing it on.
    Answer(
        StatusCode,
        &'static [(&'static str, &'static str)],
        &'static str,
    ),
    /// Passes it on, and throws the answer away for one of its own.
    AnswerAfterwards(StatusCode),
    /// Passes it on, and closes the connection instead of answering.
    CutAfterwards,
}

type Decide = dyn Fn(&Method, &Uri) -> Fault + Send + Sync;

/// A running proxy; it ends with the test's runtime.
pub struct Proxy {
    kubeconfig: PathBuf,
    /// The requests that came by: method, path and query.
    requests: Arc<Mutex<Vec<String>>>,
    _folder: tempfile::TempDir,
}

impl Sandbox {
    /// Starts a proxy that asks `decide` about every request.
    pub async fn proxy(
        &self,
        decide: impl Fn(&Method, &Uri) -> Fault + Send + Sync + 'static,
    ) -> Proxy {
        let listener = TcpListener::bind(("127.0.0.1", 0))
            .await
            .expect("a free port");
        let address = listener.local_addr().expect("a bound port has an address");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let kubeconfig = folder.path().join("kubeconfig");
        std::fs::write(&kubeconfig, kubeconfig_of(&address.to_string()))
            .expect("the kubeconfig is written");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let state = State {
            client: self.client.clone(),
            decide: Arc::new(decide),
            requests: Arc::clone(&requests),
        };
        tokio::spawn(accept(listener, state));
        Proxy {
            kubeconfig,
            requests,
            _folder: folder,
        }
    }
}

impl Proxy {
    /// The program with these arguments, against the proxy.
    pub fn program(&self, arguments: &[&str]) -> Invocation {
        Invocation::new(&self.kubeconfig, arguments)
    }

    /// The requests that came by since the last call: method, path and query.
    pub fn requests(&self) -> Vec<String> {
        std::mem::take(&mut *self.requests.lock().expect("no holder panics"))
    }
}

fn kubeconfig_of(address: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: proxy\n\
         clusters: [{{name: proxy, cluster: {{server: \"http://{address}\"}}}}]\n\
         users: [{{name: proxy, user: {{}}}}]\n\
         contexts: [{{name: proxy, context: {{cluster: proxy, user: proxy}}}}]\n"
    )
}

#[derive(Clone)]
struct State {
    client: Client,
    decide: Arc<Decide>,
    requests: Arc<Mutex<Vec<String>>>,
}

async fn accept(listener: TcpListener, state: State) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(serve(stream, state.clone()));
    }
}

async fn serve(stream: TcpStream, state: State) {
    let service = service_fn(move |request| {
        let state = state.clone();
        async move { state.answer(request).await }
    });
    // A connection that ends early is what some tests are about.
    let _ = http1::Builder::new()
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

/// Closes the connection: the server drops it when the service fails.
#[derive(Debug, thiserror::Error)]
#[error("cut")]
struct Cut;

impl State {
    async fn answer(&self, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Cut> {
        let (parts, body) = request.into_parts();
        let body = body.collect().await.map_err(|_| Cut)?.to_bytes();
        self.requests
            .lock()
            .expect("no holder panics")
            .push(format!("{} {}", parts.method, parts.uri));
        let mut request = Request::from_parts(parts, Body::from(body));
        request.headers_mut().remove(http::header::HOST);
        match (self.decide)(request.method(), request.uri()) {
            Fault::None => Ok(self.forward(request).await),
            Fault::Late(time) => {
                tokio::time::sleep(time).await;
                Ok(self.forward(request).await)
            }
            Fault::Rewrite(uri) => {
                *request.uri_mut() = uri.parse().expect("the test rewrites to a URI");
                Ok(self.forward(request).await)
            }
            Fault::Answer(status, headers, body) => Ok(respond(status, headers, body)),
            Fault::AnswerAfterwards(status) => {
                self.forward(request).await;
                Ok(respond(status, &[], ""))
            }
            Fault::CutAfterwards => {
                self.forward(request).await;
                Err(Cut)
            }
        }
    }

    async fn forward(&self, request: Request<Body>) -> Response<Full<Bytes>> {
        let answer = self
            .client
            .send(request)
            .await
            .expect("the API server answers");
        let (mut parts, body) = answer.into_parts();
        let body = body
            .collect()
            .await
            .expect("the API server answers in full")
            .to_bytes();
        parts.headers.remove(http::header::CONTENT_LENGTH);
        parts.headers.remove(http::header::TRANSFER_ENCODING);
        Response::from_parts(parts, Full::new(body))
    }
}

fn respond(
    status: StatusCode,
    headers: &[(&str, &str)],
    body: &'static str,
) -> Response<Full<Bytes>> {
    let builder = Response::builder().status(status);
    let builder = headers.iter().fold(builder, |builder, (name, value)| {
        builder.header(*name, *value)
    });
    builder
        .body(Full::new(Bytes::from_static(body.as_bytes())))
        .expect("the test's answer is valid")
}
