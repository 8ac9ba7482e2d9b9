//! Says in kubectl's words why there was no conversation with the API server.

use crate::reconcile::Failure;

/// What to say of a failure to speak with `server`, without any `error:` before it; nothing when the
/// API server did answer.
pub fn describe_transport(failure: &Failure, server: &str) -> Option<String> {
    match failure {
        Failure::NotConnected(cause) => Some(not_connected(cause, server)),
        Failure::ConnectionLost(cause) => Some(format!(
            "The connection to the server {} was lost: {cause}",
            host(server)
        )),
        Failure::TimedOut(limit) => Some(format!(
            "Unable to connect to the server: {} gave no answer within {}s; --request-timeout sets how long to wait",
            host(server),
            limit.as_secs_f64()
        )),
        _ => None,
    }
}

fn not_connected(cause: &str, server: &str) -> String {
    let host = host(server);
    // The layers of the client are of no interest.
    let cause = cause
        .rsplit("client error (Connect): ")
        .next()
        .unwrap_or(cause);
    let cause = cause.trim_start_matches("invalid peer certificate: ");
    let lower = cause.to_ascii_lowercase();
    if lower.contains("connection refused") {
        return format!(
            "The connection to the server {host} was refused - did you specify the right host or port?"
        );
    }
    let why = if lower.contains("unknownissuer") {
        "its certificate is signed by unknown authority; name the right one with --certificate-authority".to_owned()
    } else if lower.contains("notvalidforname") || lower.contains("not valid for name") {
        format!(
            "its certificate is not for this name ({cause}); name the right one with --tls-server-name"
        )
    } else if lower.contains("expired") {
        format!("its certificate has expired ({cause})")
    } else if lower.contains("dns error") || lower.contains("failed to lookup") {
        format!("no such host ({cause})")
    } else if lower.contains("invalidcontenttype") || lower.contains("corrupt message") {
        "it does not speak TLS; is its address to begin with http://?".to_owned()
    } else if lower.contains("timed out") || lower.contains("deadline has elapsed") {
        "no connection came about in time".to_owned()
    } else {
        cause.to_owned()
    };
    format!("Unable to connect to the server: {host}: {why}")
}

/// The host and the port, as kubectl names the server.
fn host(server: &str) -> &str {
    let rest = server.split_once("://").map_or(server, |(_, rest)| rest);
    rest.split('/').next().unwrap_or(rest)
}
