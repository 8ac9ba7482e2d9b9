//! What objects in a cluster can have us ask, over the network.

use std::{collections::BTreeMap, net::IpAddr};

use kubectl_copyrator::rates::provider::{Feeds as _, Permissions, UrlPermission, Web, WebOptions};

use super::{
    feeds::{RATES, of_object, options, why},
    replies::{ok, status},
    server::Server,
};

fn web(urls: UrlPermission, options: WebOptions) -> Web {
    let permissions = Permissions {
        urls,
        ..Permissions::for_objects_of_others()
    };
    Web::new(options, permissions).expect("the options are valid")
}

fn prefixes(urls: &[String]) -> UrlPermission {
    UrlPermission::Prefixes(
        urls.iter()
            .map(|url| url.parse().expect("a prefix"))
            .collect(),
    )
}

/// `rates.example` is there.
fn hosts(addresses: &[&str]) -> BTreeMap<String, Vec<IpAddr>> {
    let addresses = addresses
        .iter()
        .map(|address| address.parse().expect("an address"));
    [("rates.example".to_owned(), addresses.collect())].into()
}

#[tokio::test]
async fn an_address_of_an_object_s_is_only_asked_if_it_is_allowed() {
    let server = Server::always(ok(RATES)).await;
    let feed = of_object(&server.url("/rates/eur.json"));
    for urls in [
        UrlPermission::None,
        UrlPermission::Public,
        prefixes(&[server.url("/other"), "https://rates.example".to_owned()]),
    ] {
        let got = web(urls, options()).fetch(&feed, None).await;
        assert_eq!(why(got).0, "NotPermitted");
    }
    assert_eq!(server.requests().len(), 0);
    for urls in [UrlPermission::Any, prefixes(&[server.url("/rates")])] {
        assert!(web(urls, options()).fetch(&feed, None).await.is_ok());
    }
}

#[tokio::test]
async fn a_public_name_for_a_private_address_is_of_no_use() {
    let server = Server::always(ok(RATES)).await;
    let url = server
        .url_at("rates.example", "/")
        .replace("http:", "https:");
    for address in [
        "127.0.0.1",
        "::1",
        "10.0.0.1",
        "169.254.169.254",
        "::ffff:127.0.0.1",
    ] {
        let options = WebOptions {
            hosts: hosts(&[address]),
            ..options()
        };
        let got = web(UrlPermission::Public, options)
            .fetch(&of_object(&url), None)
            .await;
        let told = "not permitted: the host's address isn't of the public internet, which is all that \
                    objects may name";
        assert_eq!(why(got), ("NotPermitted", told.to_owned()), "{address}");
    }
}

#[tokio::test]
async fn a_redirection_leads_no_further_than_the_address_itself() {
    let inner = Server::always(ok(RATES)).await;
    let to = inner.url("/metadata");
    let outer = Server::start(move |_, _| status(302, &[("location", &to)])).await;
    let named = || prefixes(&[outer.url("/")]);
    let got = web(named(), options())
        .fetch(&of_object(&outer.url("/")), None)
        .await;
    assert_eq!(why(got).0, "NotPermitted");
    assert_eq!(inner.requests().len(), 0);
    let both = prefixes(&[outer.url("/"), inner.url("/")]);
    assert!(
        web(both, options())
            .fetch(&of_object(&outer.url("/")), None)
            .await
            .is_ok()
    );
}
