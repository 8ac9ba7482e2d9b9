//! Says in kubectl's words why the API server can't be worked with.

use http::Uri;

use crate::{
    cluster::transport::{NO_SUCH_HOST, OTHER_NAME, REFUSED, UNKNOWN_AUTHORITY},
    reconcile::Failure,
};

/// A sentence about a failure that concerns the connection to `server` as a whole; none for the
/// failures of single requests.
pub fn describe_failure(server: &str, failure: &Failure) -> Option<String> {
    match failure {
        Failure::NotConnected(reason) if reason == REFUSED => Some(format!(
            "The connection to the server {} was refused - did you specify the right host or port?",
            address(server)
        )),
        Failure::NotConnected(reason) => Some(unable(server, reason)),
        Failure::TimedOut(_) => Some(format!(
            "Unable to connect to the server: {}: {failure} (--request-timeout says how long to wait)",
            address(server)
        )),
        Failure::Unauthorized(_) => Some(
            "You must be logged in to the server (Unauthorized): it doesn't accept the credentials \
             of the kubeconfig or the flags"
                .to_owned(),
        ),
        _ => None,
    }
}

fn unable(server: &str, reason: &str) -> String {
    let address = address(server);
    let reason = match reason {
        NO_SUCH_HOST => format!("dial tcp: lookup {}: no such host", host(&address)),
        UNKNOWN_AUTHORITY => format!(
            "tls: failed to verify the certificate of {address}: {reason} (pass its authority with \
             --certificate-authority)"
        ),
        reason if reason.starts_with(OTHER_NAME) => format!(
            "tls: failed to verify the certificate of {address}: {reason} (--tls-server-name says \
             which name to expect)"
        ),
        reason => format!("{address}: {reason}"),
    };
    format!("Unable to connect to the server: {reason}")
}

/// The host and the port.
fn address(server: &str) -> String {
    let url: Option<Uri> = server.parse().ok();
    let authority = url.and_then(|url| Some(url.authority()?.to_string()));
    authority.unwrap_or_else(|| server.to_owned())
}

fn host(address: &str) -> &str {
    match address.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => address,
    }
}
