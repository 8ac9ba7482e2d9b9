//! Says in a few words why no answer came.

use std::{error::Error as StdError, io};

use super::ConnectError;

/// Nothing listens there.
pub const REFUSED: &str = "connection refused";
/// The host's name isn't known.
pub const NO_SUCH_HOST: &str = "no such host";
/// The server's certificate comes from an authority that isn't trusted.
pub const UNKNOWN_AUTHORITY: &str = "certificate signed by unknown authority";
/// The server's certificate is for other names, which follow.
pub const OTHER_NAME: &str = "certificate not valid for name";
/// The server doesn't speak TLS.
pub const PLAIN_HTTP: &str = "server gave HTTP response to HTTPS client";
/// No connection came about in time.
pub const SLOW: &str = "no connection within the time allowed";
/// The server went away, or something between us did.
const CLOSED: &str = "the connection was closed before the answer was complete";

/// What the client's and its libraries' messages contain, and what they mean.
const MEANINGS: &[(&str, &str)] = &[
    ("Name or service not known", NO_SUCH_HOST),
    ("nodename nor servname", NO_SUCH_HOST),
    ("No such host is known", NO_SUCH_HOST),
    ("No address associated", NO_SUCH_HOST),
    ("UnknownIssuer", UNKNOWN_AUTHORITY),
    ("InvalidContentType", PLAIN_HTTP),
    ("without sending TLS close_notify", CLOSED),
    ("connection closed before message completed", CLOSED),
    ("tunnel error: unsuccessful", "it refuses to connect us"),
    (
        "proxy authorization required",
        "it wants a user and a password in its URL",
    ),
];

/// Why no answer came, from the client's error.
pub fn describe(error: &kube::Error) -> String {
    if let Some(error) = sources(error).find_map(|source| source.downcast_ref::<ConnectError>()) {
        return format!("getting credentials: {error}");
    }
    // Its own text could quote the credentials.
    if sources(error).any(<dyn StdError>::is::<kube::client::AuthError>) {
        return "getting credentials: the kubeconfig's auth-provider failed".to_owned();
    }
    let parts = messages(error);
    let is_proxy = |part: &String| part.starts_with("tunnel error") || part.contains("SOCKS");
    let reason = match (meaning(error, &parts), wrong_name(&parts)) {
        (Some(meaning), _) => meaning.to_owned(),
        (None, Some(text)) => text.to_owned(),
        (None, None) => parts[parts.len().saturating_sub(2)..].join(": "),
    };
    if parts.iter().any(is_proxy) {
        format!("the proxy: {reason}")
    } else {
        reason
    }
}

/// Which name was expected, and which ones the certificate is for.
fn wrong_name(parts: &[String]) -> Option<&str> {
    let mut places = parts
        .iter()
        .filter_map(|part| Some(&part[part.find(OTHER_NAME)?..]));
    places.next_back()
}

fn meaning(error: &kube::Error, parts: &[String]) -> Option<&'static str> {
    let mut kinds = sources(error).filter_map(|source| source.downcast_ref::<io::Error>());
    let known = kinds.find_map(|error| match error.kind() {
        io::ErrorKind::ConnectionRefused => Some(REFUSED),
        io::ErrorKind::TimedOut => Some(SLOW),
        _ => None,
    });
    known.or_else(|| {
        let mut meanings = MEANINGS.iter();
        let found = meanings.find(|(text, _)| parts.iter().any(|part| part.contains(text)));
        found.map(|(_, meaning)| *meaning)
    })
}

/// The messages from the outermost to the innermost, without repetitions; kube's own only repeats
/// them all.
fn messages(error: &kube::Error) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for source in sources(error).skip(1) {
        let text = source.to_string();
        if parts.last().is_none_or(|last| !last.ends_with(&text)) {
            parts.push(text);
        }
    }
    parts
}

/// The error and its causes.
pub fn sources(error: &kube::Error) -> impl Iterator<Item = &(dyn StdError + 'static)> {
    let first: &(dyn StdError + 'static) = error;
    std::iter::successors(Some(first), |error| (*error).source())
}
