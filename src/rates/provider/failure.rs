//! Why there are no rates.

use std::fmt;

use jiff::Timestamp;

use super::{AnswerError, Feed, ProviderType, Refusal, address};

/// Why a feed can't be had. Its text says nothing that differs from one attempt to the next, and no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind} ({place}): {failure}")]
pub struct FetchError {
    /// The provider.
    pub kind: ProviderType,
    /// Where it was asked: the host, or for the provider URL the address, without a query.
    pub place: String,
    /// Why.
    pub failure: Failure,
}

/// Why no rates came of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// There was no connection, or it broke off.
    #[error("{0}")]
    Unreachable(String),
    /// It took too long.
    #[error("no answer within the time allowed")]
    TimedOut,
    /// There is a connection, but none that can be trusted.
    #[error("TLS: {0}")]
    TlsFailed(String),
    /// It has been asked too often.
    #[error("it wants no more requests for now{}", reply(.said.as_ref()))]
    RateLimited {
        /// When it can be asked again, if it says so.
        until: Option<Timestamp>,
        /// What it says.
        said: Option<Refusal>,
    },
    /// It answers that it has none.
    #[error("HTTP {status}{}", reply(.said.as_ref()))]
    HttpStatus {
        /// The status.
        status: http::StatusCode,
        /// What it says.
        said: Option<Refusal>,
    },
    /// It sends us where we don't go.
    #[error("it redirects {0}")]
    Redirect(BadRedirect),
    /// Its answer can't be used.
    #[error(transparent)]
    Answer(#[from] AnswerError),
    /// Its answer is larger than any list of rates.
    #[error("the answer is larger than {0} MiB")]
    TooLarge(u64),
    /// It may not be asked, or not with this key.
    #[error("not permitted: {0}")]
    NotPermitted(String),
    /// There is no key for a provider that wants one.
    #[error("it needs a key; set {0}, or name a Secret in secretKeyRef")]
    KeyMissing(&'static str),
    /// The key can't be sent.
    #[error("the key holds characters that no key can have, such as a line break")]
    BadKey,
    /// The file can't be read.
    #[error("the file can't be read: {0}")]
    Unreadable(String),
}

/// Where a redirection goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadRedirect {
    /// It doesn't end.
    #[error("more than {0} times")]
    TooMany(usize),
    /// From a connection that is encrypted to one that isn't.
    #[error("from https: to http:")]
    Downgrade,
    /// To something that isn't HTTP.
    #[error("to something that is neither https: nor http:")]
    Scheme,
    /// It doesn't say where to.
    #[error("without saying where to")]
    Nowhere,
    /// To another host, with the key.
    #[error("to another host, with the key")]
    WithKey,
}

fn reply(refusal: Option<&Refusal>) -> String {
    refusal.map_or_else(String::new, |refusal| format!(": {refusal}"))
}

impl FetchError {
    /// Why this feed can't be had.
    pub fn new(feed: &Feed, failure: Failure) -> Self {
        let endpoint = feed.source.endpoint();
        let host = endpoint.url().host_str();
        let place = match host {
            Some(host) if feed.source.kind() != ProviderType::Url => host.to_owned(),
            _ => address::shown(endpoint.url()),
        };
        Self {
            kind: feed.source.kind(),
            place,
            failure,
        }
    }

    /// The reason in a word, for conditions.
    pub fn word(&self) -> &'static str {
        match &self.failure {
            Failure::Unreachable(_) => "Unreachable",
            Failure::TimedOut => "TimedOut",
            Failure::TlsFailed(_) => "TlsFailed",
            Failure::RateLimited { .. } => "RateLimited",
            Failure::HttpStatus { .. } => "HttpStatus",
            Failure::Redirect(_) => "BadRedirect",
            Failure::Answer(error) => error.word(),
            Failure::TooLarge(_) => "TooLarge",
            Failure::NotPermitted(_) => "NotPermitted",
            Failure::KeyMissing(_) => "KeyMissing",
            Failure::BadKey => "BadKey",
            Failure::Unreadable(_) => "Unreadable",
        }
    }

    /// When it can be tried again, if the provider says so.
    pub fn until(&self) -> Option<Timestamp> {
        match self.failure {
            Failure::RateLimited { until, .. } => until,
            _ => None,
        }
    }
}

impl Failure {
    /// There was no connection, or it broke off.
    pub(super) fn unreachable(reason: impl fmt::Display) -> Self {
        Self::Unreachable(reason.to_string())
    }

    /// It may not be asked.
    pub(super) fn not_permitted(reason: impl fmt::Display) -> Self {
        Self::NotPermitted(reason.to_string())
    }
}
