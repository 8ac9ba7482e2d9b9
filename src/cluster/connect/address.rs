//! The API server's address.

use http::Uri;

use super::error::ConnectError;

/// What an address without a scheme stands for, as client-go decides it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assume {
    /// Nothing was said about TLS.
    Http,
    /// An authority was named, or not verifying was asked for.
    Https,
}

/// Reads an address: a URL, or a host and a port.
pub fn parse(server: &str, assume: Assume) -> Result<Uri, ConnectError> {
    let full = match (server.contains("://"), assume) {
        (true, _) => server.to_owned(),
        (false, Assume::Http) => format!("http://{server}"),
        (false, Assume::Https) => format!("https://{server}"),
    };
    let refuse = |reason: String| ConnectError::BadServer {
        server: server.to_owned(),
        reason,
    };
    let url: Uri = full
        .parse()
        .map_err(|error: http::uri::InvalidUri| refuse(error.to_string()))?;
    if !matches!(url.scheme_str(), Some("http" | "https")) {
        return Err(refuse("it must begin with https:// or http://".to_owned()));
    }
    Ok(url)
}
