//! Which proxy is used.

use super::fixtures::{Place, TWO, options, some};

fn proxy(place: &Place) -> Option<String> {
    let config = place.config(&options(|_| ()));
    config.proxy_url.map(|url| url.to_string())
}

fn to(server: &str, variables: &[(&str, &str)]) -> Option<String> {
    let mut place = Place::empty();
    for (name, value) in variables {
        place.set(name, value);
    }
    let config = place.config(&options(|it| it.server = some(server)));
    config.proxy_url.map(|url| url.to_string())
}

#[test]
fn the_kubeconfigs_proxy_knows_no_exceptions() {
    let text = TWO.replace(
        "tls-server-name: dev.internal",
        "proxy-url: 'socks5://p:1080'",
    );
    let mut place = Place::with(&text);
    place.set("HTTPS_PROXY", "http://other:3128");
    place.set("NO_PROXY", "*");
    assert_eq!(proxy(&place).as_deref(), Some("socks5://p:1080/"));
}

#[test]
fn the_variable_is_that_of_the_servers_scheme() {
    let both = [("HTTPS_PROXY", "http://s:1"), ("http_proxy", "p:2")];
    assert_eq!(
        to("https://x.example", &both).as_deref(),
        Some("http://s:1/")
    );
    assert_eq!(
        to("http://x.example", &both).as_deref(),
        Some("http://p:2/")
    );
    assert_eq!(to("https://x.example", &both[1..]), None);
}

#[test]
fn this_machine_is_never_reached_through_a_proxy() {
    let variables = [("HTTPS_PROXY", "http://p:1")];
    for server in [
        "https://localhost:6443",
        "https://127.0.0.1",
        "https://[::1]:6443",
    ] {
        assert_eq!(to(server, &variables), None, "{server}");
    }
}

#[test]
fn exceptions_are_hosts_domains_networks_and_ports() {
    let exempt = |server: &str, no_proxy: &str| {
        to(
            server,
            &[("HTTPS_PROXY", "http://p:1"), ("no_proxy", no_proxy)],
        )
        .is_none()
    };
    assert!(exempt("https://x.example:6443", "y.example, x.example,"));
    assert!(exempt("https://x.example", ".example"));
    assert!(exempt("https://x.example", "*.example"));
    assert!(exempt("https://x.example", "*"));
    assert!(exempt("https://10.1.2.3:6443", "10.0.0.0/8"));
    assert!(exempt("https://[fd00::1]:6443", "fd00::/8"));
    assert!(exempt("https://x.example:6443", "x.example:6443"));
    assert!(!exempt("https://x.example:6443", "x.example:443"));
    assert!(!exempt("https://notx.example", "x.example"));
    assert!(!exempt("https://x.example", ""));
}

#[test]
fn proxies_that_are_none() {
    let text = TWO.replace(
        "tls-server-name: dev.internal",
        "proxy-url: 'ftp://hunter2@p'",
    );
    insta::assert_snapshot!(Place::with(&text).error(&options(|_| ())), @"proxy-url is not the address of a proxy: it must be an http://, https:// or socks5:// URL");
}
