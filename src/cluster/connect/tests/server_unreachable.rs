//! What is said when the API server can't be worked with.

use std::time::Duration;

use insta::assert_snapshot;

use super::super::describe_failure;
use crate::reconcile::Failure;

fn described(failure: &Failure) -> String {
    describe_failure("https://x.example:6443", failure).expect("a sentence")
}

fn not_connected(reason: &str) -> String {
    described(&Failure::NotConnected(reason.to_owned()))
}

#[test]
fn failures_of_the_connection() {
    assert_snapshot!(not_connected("connection refused"), @"The connection to the server x.example:6443 was refused - did you specify the right host or port?");
    assert_snapshot!(not_connected("no such host"), @"Unable to connect to the server: dial tcp: lookup x.example: no such host");
    assert_snapshot!(not_connected("certificate signed by unknown authority"), @"Unable to connect to the server: tls: failed to verify the certificate of x.example:6443: certificate signed by unknown authority (pass its authority with --certificate-authority)");
    assert_snapshot!(not_connected("certificate not valid for name \"a\""), @r#"Unable to connect to the server: tls: failed to verify the certificate of x.example:6443: certificate not valid for name "a" (--tls-server-name says which name to expect)"#);
    assert_snapshot!(not_connected("the proxy: connection refused"), @"Unable to connect to the server: x.example:6443: the proxy: connection refused");
    assert_snapshot!(described(&Failure::TimedOut(Duration::from_secs(5))), @"Unable to connect to the server: x.example:6443: no answer within 5s (--request-timeout says how long to wait)");
    assert_snapshot!(described(&Failure::Unauthorized("Unauthorized".to_owned())), @"You must be logged in to the server (Unauthorized): it doesn't accept the credentials of the kubeconfig or the flags");
}

#[test]
fn failures_of_requests_are_not_the_connections() {
    let forbidden = Failure::Forbidden("no".to_owned());
    assert_eq!(describe_failure("https://x.example", &forbidden), None);
}
