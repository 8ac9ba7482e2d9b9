//! Redirections, followed and not.

use super::{
    certificates::Certificates,
    feeds::{RATES, fetch, options, own, web, why},
    replies::{ok, status},
    server::Server,
};
use kubectl_copyrator::rates::provider::{Feeds as _, WebOptions};

#[tokio::test]
async fn each_kind_is_followed() {
    for code in [301, 302, 303, 307, 308] {
        let server = Server::start(move |request, _| match request.target() {
            "/old?a=b" => status(code, &[("location", "/new")]),
            _ => ok(RATES),
        })
        .await;
        assert!(fetch(&server.url("/old?a=b")).await.is_ok(), "{code}");
        assert_eq!(server.targets(), ["/old?a=b", "/new"]);
    }
}

#[tokio::test]
async fn a_loop_ends() {
    let server = Server::always(status(302, &[("location", "/again")])).await;
    let told = ("BadRedirect", "it redirects more than 5 times".to_owned());
    assert_eq!(why(fetch(&server.url("/")).await), told);
    assert_eq!(server.requests().len(), 6);
}

#[tokio::test]
async fn five_in_a_row_are_followed() {
    let server = Server::start(|_, before| match before {
        5 => ok(RATES),
        _ => status(302, &[("location", "/again")]),
    })
    .await;
    assert!(fetch(&server.url("/")).await.is_ok());
}

#[tokio::test]
async fn other_schemes_and_nowhere_are_refused() {
    for (location, told) in [
        (
            "file:///etc/passwd",
            "it redirects to something that is neither https: nor http:",
        ),
        (
            "gopher://a.example/",
            "it redirects to something that is neither https: nor http:",
        ),
        ("https://", "it redirects without saying where to"),
    ] {
        let server = Server::always(status(302, &[("location", location)])).await;
        assert_eq!(
            why(fetch(&server.url("/")).await),
            ("BadRedirect", told.to_owned())
        );
    }
    let server = Server::always(status(302, &[])).await;
    assert_eq!(why(fetch(&server.url("/")).await).0, "BadRedirect");
}

#[tokio::test]
async fn from_plain_to_encrypted_but_not_back() {
    let certificates = Certificates::new();
    let plain = Server::always(ok(RATES)).await;
    let to = plain.url("/");
    let back = Server::start_tls(certificates.acceptor(), move |_, _| {
        status(302, &[("location", &to)])
    })
    .await;
    let options = || WebOptions {
        authorities: Some(certificates.authority()),
        ..options()
    };
    let got = web(options()).fetch(&own(&back.url("/")), None).await;
    assert_eq!(
        why(got),
        (
            "BadRedirect",
            "it redirects from https: to http:".to_owned()
        )
    );
    assert_eq!(plain.requests().len(), 0);

    let encrypted = Server::start_tls(certificates.acceptor(), |_, _| ok(RATES)).await;
    let to = encrypted.url("/");
    let plain = Server::start(move |_, _| status(302, &[("location", &to)])).await;
    assert!(
        web(options())
            .fetch(&own(&plain.url("/")), None)
            .await
            .is_ok()
    );
}
