//! Connections that can be trusted, and others.

use kubectl_copyrator::rates::provider::{Feeds as _, WebOptions};

use super::{
    certificates::Certificates,
    feeds::{RATES, fetch, options, own, web, why},
    replies::ok,
    server::Server,
};

#[tokio::test]
async fn an_unknown_authority_is_refused_and_a_named_one_is_not() {
    let certificates = Certificates::new();
    let server = Server::start_tls(certificates.acceptor(), |_, _| ok(RATES)).await;
    let told = (
        "TlsFailed",
        "TLS: certificate signed by unknown authority".to_owned(),
    );
    assert_eq!(why(fetch(&server.url("/")).await), told);
    assert_eq!(server.requests().len(), 0);
    let trusting = WebOptions {
        authorities: Some(certificates.authority()),
        ..options()
    };
    assert!(
        web(trusting)
            .fetch(&own(&server.url("/")), None)
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn a_certificate_for_another_host_is_refused() {
    let certificates = Certificates::new();
    let server = Server::start_tls(certificates.acceptor_for(&["other.example"]), |_, _| {
        ok(RATES)
    })
    .await;
    let trusting = WebOptions {
        authorities: Some(certificates.authority()),
        ..options()
    };
    let got = web(trusting).fetch(&own(&server.url("/")), None).await;
    assert_eq!(
        why(got),
        (
            "TlsFailed",
            "TLS: certificate is not for this host".to_owned()
        )
    );
}

#[tokio::test]
async fn a_server_without_tls_is_told_as_such() {
    let server = Server::always(ok(RATES)).await;
    let url = server.url("/").replace("http:", "https:");
    let got = why(fetch(&url).await);
    assert_eq!(got, ("TlsFailed", "TLS: it answers without TLS".to_owned()));
}
