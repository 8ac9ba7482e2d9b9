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
use secrecy::{ExposeSecret, SecretString};
use tokio::task::{JoinHandle, spawn_blocking};
use tower::{BoxError, Layer, Service};

use super::{ConnectError, exec_plugin::Plugin};

/// How long a token from a file is used before the file is read again, as in client-go.
const FILE_LIFETIME: SignedDuration = SignedDuration::from_secs(60);
/// How long before its end a token is replaced, so that it doesn't end on its way.
const MARGIN: SignedDuration = SignedDuration::from_secs(30);

/// Where tokens come from.
#[derive(Clone)]
pub(super) enum Source {
    /// A file that somebody else keeps fresh.
    File(PathBuf),
    /// A credential plugin.
    Plugin(Box<Plugin>),
}

/// A token and the time at which it is to be replaced.
#[derive(Clone)]
pub(super) struct Token {
    header: HeaderValue,
    renew_at: Option<Timestamp>,
}

impl Token {
    /// A token that is replaced some time before it `expires`.
    pub fn new(token: &SecretString, expires: Option<Timestamp>) -> Result<Self, ConnectError> {
        let text = format!("Bearer {}", token.expose_secret().trim());
        let mut header =
            HeaderValue::try_from(text).map_err(|_| ConnectError::InvalidCertificate {
                what: "bearer token".to_owned(),
                problem: "it has characters that no token has, such as a line break".to_owned(),
            })?;
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
                let text =
                    fs::read_to_string(path).map_err(|source| ConnectError::UnreadableFile {
                        what: "token file",
                        path: path.clone(),
                        source,
                    })?;
                Token::new(
                    &SecretString::from(text),
                    Some(Timestamp::now() + FILE_LIFETIME),
                )
            }
            Self::Plugin(plugin) => {
                let credential = plugin.run()?;
                let token = credential.token.unwrap_or_default();
                Token::new(&token, credential.expires)
            }
        }
    }
}

/// Adds the token to every request.
#[derive(Clone)]
pub(super) struct Tokens {
    /// Where the next token comes from.
    pub source: Source,
    /// The first token.
    pub token: Token,
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
pub(super) struct WithToken<S> {
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
