//! Bearer tokens that change while the program runs: from a file, or from a credential plugin.

use std::{
    fs,
    path::PathBuf,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
};

use futures::future::BoxFuture;
use http::{HeaderValue, Request, Response, StatusCode, header::AUTHORIZATION};
use jiff::{SignedDuration, Timestamp};
use k8s_openapi::ByteString;
use kube::config::{AuthInfo, ExecConfig};
use secrecy::{ExposeSecret, SecretString};
use tokio::task::{JoinHandle, spawn_blocking};
use tower::{BoxError, Layer, Service};

use super::{error::ConnectError, execution, plugin};

/// How long a token from a file is used before the file is read again, as in client-go.
const FILE_LIFETIME: SignedDuration = SignedDuration::from_secs(60);
/// How long before its end a token is replaced, so that it doesn't end on its way.
const MARGIN: SignedDuration = SignedDuration::from_secs(30);

/// Where tokens come from.
#[derive(Clone)]
pub enum Source {
    /// A file that somebody else keeps fresh.
    File(PathBuf),
    /// A credential plugin.
    Plugin(Box<ExecConfig>),
}

/// A token and the time at which it is to be replaced.
#[derive(Clone)]
pub struct Token {
    header: HeaderValue,
    renew_at: Option<Timestamp>,
}

impl Token {
    /// A token that is replaced some time before it `expires`.
    pub fn new(token: &SecretString, expires: Option<Timestamp>) -> Result<Self, ConnectError> {
        let text = format!("Bearer {}", token.expose_secret());
        let mut header = HeaderValue::try_from(text).map_err(|_| ConnectError::BadToken)?;
        header.set_sensitive(true);
        let renew_at = expires.map(|expires| expires.checked_sub(MARGIN).unwrap_or(expires));
        Ok(Self { header, renew_at })
    }
}

impl Source {
    /// Gets a token now; this may block.
    pub fn token(&self) -> Result<Token, ConnectError> {
        match self {
            Self::File(path) => {
                let text = fs::read_to_string(path).map_err(|source| ConnectError::Unreadable {
                    what: "tokenFile",
                    path: path.clone(),
                    source,
                })?;
                let next = Timestamp::now() + FILE_LIFETIME;
                Token::new(&SecretString::from(text.trim()), Some(next))
            }
            Self::Plugin(plugin) => {
                let credential = execution::run(plugin)?;
                let token = credential.token;
                let token = token.ok_or_else(|| plugin::failed(plugin, "gave no token"))?;
                Token::new(&token, credential.expires)
            }
        }
    }
}

/// Takes the sources of changing tokens out of the user, and gets the first token: the client would
/// ask a plugin too often, and send a file's line break along. A plugin's certificate stays, as the
/// user's own.
pub fn take(user: &mut AuthInfo) -> Result<Option<Tokens>, ConnectError> {
    let has_credentials = user.token.is_some() || user.username.is_some();
    let file = user.token_file.take().filter(|_| !has_credentials);
    if let Some(file) = file {
        let source = Source::File(PathBuf::from(file));
        let token = source.token()?;
        return Ok(Some(Tokens { source, token }));
    }
    let plugin = user.exec.take().filter(|_| !has_credentials);
    plugin.map_or(Ok(None), |plugin| ask(plugin, user))
}

fn ask(plugin: ExecConfig, user: &mut AuthInfo) -> Result<Option<Tokens>, ConnectError> {
    let credential = execution::run(&plugin)?;
    if let Some((certificate, key)) = credential.certificate {
        user.client_certificate_data = Some(base64(&certificate));
        user.client_key_data = Some(SecretString::from(base64(key.expose_secret())));
    }
    let Some(token) = credential.token else {
        return Ok(None);
    };
    Ok(Some(Tokens {
        token: Token::new(&token, credential.expires)?,
        source: Source::Plugin(Box::new(plugin)),
    }))
}

/// The form that PEM has in a kubeconfig.
fn base64(text: &str) -> String {
    match serde_json::to_value(ByteString(text.as_bytes().to_vec())) {
        Ok(serde_json::Value::String(encoded)) => encoded,
        _ => unreachable!("a ByteString is serialized as a text"),
    }
}

/// Adds the token to every request.
#[derive(Clone)]
pub struct Tokens {
    /// Where the next token comes from.
    source: Source,
    /// The first token.
    token: Token,
}

impl<S> Layer<S> for Tokens {
    type Service = WithToken<S>;

    fn layer(&self, inner: S) -> WithToken<S> {
        WithToken {
            inner,
            tokens: self.clone(),
            refused: Arc::default(),
            renewal: None,
            renewed: false,
            failure: None,
        }
    }
}

/// A service whose requests carry the token.
pub struct WithToken<S> {
    inner: S,
    tokens: Tokens,
    /// Whether the API server has answered 401 to the current token.
    refused: Arc<AtomicBool>,
    renewal: Option<JoinHandle<Result<Token, ConnectError>>>,
    /// Whether the token was renewed for the request to come: one that is over at once isn't asked
    /// for again and again.
    renewed: bool,
    failure: Option<ConnectError>,
}

impl<S> WithToken<S> {
    fn is_due(&self) -> bool {
        let over = self
            .tokens
            .token
            .renew_at
            .is_some_and(|at| Timestamp::now() >= at);
        over || self.refused.load(Ordering::Relaxed)
    }

    /// Replaces the token when it is time. A failure belongs to the next request, not to the service.
    fn poll_renewal(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if self.renewal.is_none() && !self.renewed && self.is_due() {
            let source = self.tokens.source.clone();
            self.renewal = Some(spawn_blocking(move || source.token()));
        }
        if let Some(renewal) = &mut self.renewal {
            let result = ready!(Pin::new(renewal).poll(context));
            self.renewal = None;
            self.renewed = true;
            self.refused.store(false, Ordering::Relaxed);
            self.settle(result.ok());
        }
        Poll::Ready(())
    }

    fn settle(&mut self, result: Option<Result<Token, ConnectError>>) {
        match (result, &self.tokens.source) {
            (Some(Ok(token)), _) => self.tokens.token = token,
            // A file that is gone was perhaps there for the start only: its last token goes on.
            (_, Source::File(_)) => {
                self.tokens.token.renew_at = Some(Timestamp::now() + FILE_LIFETIME);
            }
            (Some(Err(error)), Source::Plugin(_)) => self.failure = Some(error),
            (None, Source::Plugin(_)) => {}
        }
    }
}

impl<S, B, R> Service<Request<B>> for WithToken<S>
where
    S: Service<Request<B>, Response = Response<R>>,
    S::Error: Into<BoxError>,
    S::Future: Send + 'static,
{
    type Response = Response<R>;
    type Error = BoxError;
    type Future = BoxFuture<'static, Result<Response<R>, BoxError>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        ready!(self.poll_renewal(context));
        self.inner.poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        self.renewed = false;
        if let Some(error) = self.failure.take() {
            return Box::pin(async move { Err(error.into()) });
        }
        let header = self.tokens.token.header.clone();
        request.headers_mut().insert(AUTHORIZATION, header);
        let refused = Arc::clone(&self.refused);
        let response = self.inner.call(request);
        Box::pin(async move {
            let response = response.await.map_err(Into::into)?;
            if response.status() == StatusCode::UNAUTHORIZED {
                refused.store(true, Ordering::Relaxed);
            }
            Ok(response)
        })
    }
}
