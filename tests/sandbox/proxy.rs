//! A proxy of the test's own between the program and the API server, which has faults on purpose.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};

use http::{Method, Request, Uri};
use http_body_util::BodyExt;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use kube::{Client, client::Body};
use serde::Serialize;
use serde_json::json;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::watch,
    time::{Instant, sleep},
};

use super::{
    Fault, Invocation, PATIENCE, Sandbox,
    fault::{Answer, Cut, broken_off, piece_of_value, refuse, respond, whole},
    streamed::Watches,
};

type Decide = dyn Fn(&Method, &Uri) -> Fault + Send + Sync;

/// A running proxy; it ends with the test's runtime.
pub struct Proxy {
    kubeconfig: PathBuf,
    /// The requests that came by: method, path and query.
    requests: Arc<Mutex<Vec<String>>>,
    /// How many requests are being worked on.
    busy: Arc<watch::Sender<usize>>,
    watches: Watches,
    _folder: tempfile::TempDir,
}

impl Sandbox {
    /// Starts a proxy that asks `decide` about every request but those for the user's own rights, which
    /// it neither disturbs nor counts.
    pub async fn proxy(
        &self,
        decide: impl Fn(&Method, &Uri) -> Fault + Send + Sync + 'static,
    ) -> Proxy {
        self.start_proxy(decide, false).await
    }

    /// Starts a proxy that asks `decide` about every request.
    pub async fn proxy_with_reviews(
        &self,
        decide: impl Fn(&Method, &Uri) -> Fault + Send + Sync + 'static,
    ) -> Proxy {
        self.start_proxy(decide, true).await
    }

    async fn start_proxy(
        &self,
        decide: impl Fn(&Method, &Uri) -> Fault + Send + Sync + 'static,
        with_reviews: bool,
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
        let busy = Arc::new(watch::Sender::new(0));
        let watches = Watches::new();
        let state = State {
            client: self.client.clone(),
            decide: Arc::new(decide),
            with_reviews,
            requests: Arc::clone(&requests),
            busy: Arc::clone(&busy),
            watches: watches.clone(),
        };
        tokio::spawn(accept(listener, state));
        Proxy {
            kubeconfig,
            requests,
            busy,
            watches,
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

    /// Loses the connections of all watches that are under way.
    pub fn cut_watches(&self) {
        self.watches.cut();
    }

    /// Ends all watches that are under way, after this was told on them.
    pub fn end_watches(&self, last: &str) {
        self.watches.end_with(last);
    }

    /// Swallows what is told on watches, or doesn't any more.
    pub fn swallow_events(&self, swallow: bool) {
        self.watches.swallow(swallow);
    }

    /// Tells an event that never happened on the watches whose path and query have this in them, as soon as
    /// there is one.
    pub async fn claim(&self, path: &str, happened: &str, object: &impl Serialize) {
        let object = json!(object);
        // Whoever reads it may want the type first, as the API server tells it.
        let event = format!("{{\"type\":\"{happened}\",\"object\":{object}}}\n");
        self.watches.tell(path, &event).await;
    }

    /// Waits until all that came by is dealt with, whether anybody waited for the answer or not.
    pub async fn idle(&self) {
        let mut busy = self.busy.subscribe();
        let idle = busy.wait_for(|count| *count == 0).await;
        idle.expect("the sender is our own");
    }

    /// Waits until for so long no such request has come by.
    pub async fn rests(&self, time: Duration, counts: impl Fn(&str) -> bool) {
        let begun = Instant::now();
        loop {
            self.idle().await;
            self.requests();
            sleep(time).await;
            let mut requests = self.requests();
            requests.retain(|request| counts(request));
            if requests.is_empty() {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "it never rests: {requests:#?}");
        }
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
    with_reviews: bool,
    requests: Arc<Mutex<Vec<String>>>,
    busy: Arc<watch::Sender<usize>>,
    watches: Watches,
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

/// An object is changed by PATCH or by PUT, as it happens: to a test either is a change, and is told as PATCH.
fn as_change(method: &Method) -> &Method {
    if method == Method::PUT {
        &Method::PATCH
    } else {
        method
    }
}

impl State {
    fn note(&self, method: &Method, uri: &Uri) {
        let mut requests = self.requests.lock().expect("no holder panics");
        requests.push(format!("{method} {uri}"));
    }

    async fn answer(&self, request: Request<Incoming>) -> Result<Answer, Cut> {
        let (parts, body) = request.into_parts();
        let is_review = parts.uri.path().contains("/selfsubject");
        let fault = if is_review && !self.with_reviews {
            Fault::None
        } else {
            let method = as_change(&parts.method);
            self.note(method, &parts.uri);
            (self.decide)(method, &parts.uri)
        };
        if matches!(fault, Fault::CutBeforeBody) {
            return Err(Cut);
        }
        let body = body.collect().await.map_err(|_| Cut)?.to_bytes();
        let mut request = Request::from_parts(parts, Body::from(body));
        request.headers_mut().remove(http::header::HOST);
        // What was begun is finished, even if the program goes away meanwhile.
        let state = self.clone();
        self.busy.send_modify(|count| *count += 1);
        let answered = tokio::spawn(async move {
            let answered = state.suffer(fault, request).await;
            state.busy.send_modify(|count| *count -= 1);
            answered
        });
        answered.await.unwrap_or(Err(Cut))
    }

    async fn suffer(&self, fault: Fault, mut request: Request<Body>) -> Result<Answer, Cut> {
        match fault {
            Fault::None => self.forward(request).await,
            Fault::Rewrite(uri) => {
                *request.uri_mut() = uri.parse().expect("the test rewrites to a URI");
                self.forward(request).await
            }
            Fault::Answer(status, headers, body) => Ok(respond(status, headers, body)),
            Fault::Refuse(status, reason, message) => Ok(refuse(status, reason, &message)),
            Fault::AnswerAfterwards(status) => {
                self.forward(request).await?;
                Ok(respond(status, &[], ""))
            }
            Fault::QuoteRequest(status) => {
                let body = request.into_body().collect().await.map_err(|_| Cut)?;
                Ok(respond(status, &[], piece_of_value(&body.to_bytes())))
            }
            Fault::QuoteAnswer(status) => {
                let answer = self.forward(request).await?.into_body();
                let body = answer.collect().await?.to_bytes();
                Ok(respond(status, &[], piece_of_value(&body)))
            }
            Fault::HalfAnswer => {
                let (parts, body) = self.forward(request).await?.into_parts();
                let body = body.collect().await?.to_bytes();
                Ok(Answer::from_parts(
                    parts,
                    whole(body.slice(..body.len() / 2)),
                ))
            }
            Fault::CutBeforeBody | Fault::CutBeforehand => Err(Cut),
            Fault::CutAfterwards => {
                self.forward(request).await?;
                Err(Cut)
            }
            Fault::CutInAnswer => {
                let (parts, body) = self.forward(request).await?.into_parts();
                let body = body.collect().await?.to_bytes();
                Ok(Answer::from_parts(parts, broken_off(&body)))
            }
            Fault::Instead(happens) => {
                happens.await;
                Err(Cut)
            }
            Fault::After(happens) => {
                happens.await;
                self.forward(request).await
            }
            Fault::Then(happens) => {
                let answer = self.forward(request).await;
                happens.await;
                answer
            }
        }
    }

    /// The API server's answer; some tests kill the API server.
    async fn forward(&self, request: Request<Body>) -> Result<Answer, Cut> {
        let uri = request.uri().clone();
        let query = uri.query().unwrap_or_default();
        let is_watch = query.split('&').any(|parameter| parameter == "watch=1");
        let answer = self.client.send(request).await.map_err(|_| Cut)?;
        let (mut parts, body) = answer.into_parts();
        parts.headers.remove(http::header::CONTENT_LENGTH);
        parts.headers.remove(http::header::TRANSFER_ENCODING);
        if is_watch && parts.status.is_success() {
            return Ok(Answer::from_parts(parts, self.watches.pass(&uri, body)));
        }
        let body = body.collect().await.map_err(|_| Cut)?.to_bytes();
        Ok(Answer::from_parts(parts, whole(body)))
    }
}
