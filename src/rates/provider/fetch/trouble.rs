//! What goes wrong with one attempt, and whether another one may go better.

use std::{error::Error as StdError, io, time::Duration};

use rustls::{CertificateError, InvalidMessage};

use super::lookup::{NoSuchHost, NotPublic};
use crate::rates::provider::Failure;

/// The connection ended too early.
const CLOSED: &str = "the connection was closed before the answer was complete";

/// What went wrong with one attempt.
#[derive(Debug)]
pub struct Trouble {
    /// What it was.
    pub failure: Failure,
    /// Whether another attempt may go better, and after which wait at the least.
    pub again: Option<Duration>,
}

impl Trouble {
    /// Another attempt may go better.
    pub fn passing(failure: Failure) -> Self {
        Self {
            failure,
            again: Some(Duration::ZERO),
        }
    }

    /// No answer came, or only a part of one. The client's own words would have the address, key
    /// included.
    pub fn of_client(error: &reqwest::Error, is_proxied: bool) -> Self {
        let tell = |reason: String| {
            let by_proxy = if is_proxied {
                "through the proxy: "
            } else {
                ""
            };
            Failure::unreachable(format!("{by_proxy}{reason}"))
        };
        if error.is_timeout() {
            return Self::passing(Failure::TimedOut);
        }
        if causes(error).any(<dyn StdError>::is::<NotPublic>) {
            return Failure::not_permitted(NotPublic).into();
        }
        if causes(error).any(<dyn StdError>::is::<NoSuchHost>) {
            return Self::passing(tell(NoSuchHost.to_string()));
        }
        if let Some(error) = causes(error).find_map(tls) {
            return Failure::TlsFailed(of_tls(error)).into();
        }
        if error.is_decode() || error.is_body() {
            return Self::passing(tell(CLOSED.to_owned()));
        }
        Self::passing(tell(reason(error)))
    }
}

/// Another attempt would only go wrong again.
impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Self {
            failure,
            again: None,
        }
    }
}

fn reason(error: &reqwest::Error) -> String {
    let mut kinds = causes(error).filter_map(|cause| cause.downcast_ref::<io::Error>());
    if let Some(error) = kinds.find(|error| error.kind() != io::ErrorKind::Other) {
        return match error.kind() {
            io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset => CLOSED.to_owned(),
            kind => kind.to_string(),
        };
    }
    let innermost = causes(error).last().map(ToString::to_string);
    match innermost.unwrap_or_default() {
        text if text.contains("connection closed before message completed") => CLOSED.to_owned(),
        text if text.contains("invalid HTTP") => "it doesn't speak HTTP".to_owned(),
        text => text,
    }
}

/// What rustls says, wherever its error is kept: an error of input and output doesn't name what it wraps.
fn tls<'a>(cause: &'a (dyn StdError + 'static)) -> Option<&'a rustls::Error> {
    let wrapped = || {
        let inner: &'a (dyn StdError + 'static) = cause.downcast_ref::<io::Error>()?.get_ref()?;
        tls(inner)
    };
    cause.downcast_ref().or_else(wrapped)
}

/// In words of our own, as rustls's have the time in them.
fn of_tls(error: &rustls::Error) -> String {
    let text = match error {
        rustls::Error::InvalidCertificate(error) => match error {
            CertificateError::UnknownIssuer => "certificate signed by unknown authority",
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
                "certificate has expired"
            }
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                "certificate is not valid yet"
            }
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                "certificate is not for this host"
            }
            CertificateError::Revoked => "certificate has been revoked",
            _ => "certificate can't be verified",
        },
        rustls::Error::InvalidMessage(InvalidMessage::InvalidContentType) => {
            "it answers without TLS"
        }
        rustls::Error::AlertReceived(alert) => return format!("it refuses: {alert:?}"),
        _ => "the handshake failed",
    };
    text.to_owned()
}

/// The error and its causes.
fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn StdError + 'static)> {
    let first: &(dyn StdError + 'static) = error;
    std::iter::successors(Some(first), |error| (*error).source())
}
