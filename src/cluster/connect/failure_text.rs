//! Says in kubectl's words why the API server can't be reached.

use crate::reconcile::Failure;

/// A sentence about a failure that concerns the connection as a whole; none for the others.
pub fn describe_failure(server: &str, failure: &Failure) -> Option<String> {
    match failure {
        Failure::NotConnected(reason) => Some(format!(
            "Unable to connect to the server {server}: {reason}"
        )),
        Failure::TimedOut(_) => Some(format!(
            "Unable to connect to the server {server}: {failure}"
        )),
        Failure::Unauthorized(_) => {
            Some("You must be logged in to the server (Unauthorized)".to_owned())
        }
        _ => None,
    }
}
