//! The API server's address, as a user may write it.

use http::Uri;
use kube::config::Cluster;

use super::ConnectError;

/// Reads an address. Without a scheme it is `https`, as in kubectl, when anything about TLS is said
/// of the cluster, and `http` otherwise.
pub(super) fn parse(text: &str, cluster: &Cluster) -> Result<Uri, ConnectError> {
    let invalid = |problem: String| ConnectError::InvalidServer {
        value: text.to_owned(),
        problem,
    };
    let mentions_tls = cluster.certificate_authority.is_some()
        || cluster.certificate_authority_data.is_some()
        || cluster.insecure_skip_tls_verify == Some(true);
    let scheme = if mentions_tls { "https" } else { "http" };
    let full = if text.contains("://") {
        text.to_owned()
    } else {
        format!("{scheme}://{text}")
    };
    let uri: Uri = full
        .parse()
        .map_err(|error: http::uri::InvalidUri| invalid(error.to_string()))?;
    match uri.scheme_str() {
        Some("http" | "https") if uri.host().is_some_and(|host| !host.is_empty()) => Ok(uri),
        Some("http" | "https") => Err(invalid("it names no host".to_owned())),
        _ => Err(invalid("it must begin with https:// or http://".to_owned())),
    }
}
