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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn said(cause: &str) -> String {
        let failure = Failure::NotConnected(cause.to_owned());
        describe_transport(&failure, "https://example.org:6443/base").unwrap()
    }

    #[test]
    fn causes_are_told_as_in_kubectl() {
        assert_eq!(
            said("tcp connect error: Connection refused (os error 111)"),
            "The connection to the server example.org:6443 was refused - did you specify the right \
             host or port?"
        );
        for (cause, word) in [
            (
                "invalid peer certificate: UnknownIssuer",
                "signed by unknown authority",
            ),
            (
                "invalid peer certificate: NotValidForName",
                "--tls-server-name",
            ),
            ("invalid peer certificate: Expired", "has expired"),
            (
                "dns error: failed to lookup address information",
                "no such host",
            ),
            (
                "received corrupt message of type InvalidContentType",
                "does not speak TLS",
            ),
            ("deadline has elapsed", "in time"),
            ("something else", "example.org:6443: something else"),
        ] {
            let said = said(cause);
            assert!(
                said.starts_with("Unable to connect to the server: "),
                "{said}"
            );
            assert!(said.contains(word), "{said}");
        }
    }

    #[test]
    fn an_answer_is_no_trouble_of_the_transport() {
        let describe = |failure| describe_transport(&failure, "https://s");
        assert_eq!(describe(Failure::Forbidden("no".to_owned())), None);
        let late = describe(Failure::TimedOut(Duration::from_millis(1500))).unwrap();
        assert!(late.contains("s gave no answer within 1.5s"), "{late}");
    }
}
