//! Which proxy leads to the API server, if any.

use std::net::IpAddr;

use http::Uri;
use hyper_util::client::proxy::matcher::Matcher;

use super::{environment::Environment, error::ConnectError};

/// The proxy of the kubeconfig, or else of the environment; only the latter knows exceptions.
pub fn choose(
    proxy_url: Option<&str>,
    server: &Uri,
    environment: &Environment,
) -> Result<Option<Uri>, ConnectError> {
    if let Some(proxy_url) = proxy_url.filter(|url| !url.is_empty()) {
        return parse(proxy_url, "proxy-url").map(Some);
    }
    let names = match server.scheme_str() {
        Some("http") => ["HTTP_PROXY", "http_proxy"],
        _ => ["HTTPS_PROXY", "https_proxy"],
    };
    let Some(proxy_url) = environment.any_variable(&names) else {
        return Ok(None);
    };
    if is_exempt(server, environment) {
        return Ok(None);
    }
    parse(&proxy_url, names[0]).map(Some)
}

fn parse(proxy_url: &str, place: &'static str) -> Result<Uri, ConnectError> {
    let full = match proxy_url.split_once("://") {
        // Names are resolved by the proxy in any case.
        Some(("socks5h", rest)) => format!("socks5://{rest}"),
        Some(_) => proxy_url.to_owned(),
        None => format!("http://{proxy_url}"),
    };
    let url: Uri = full.parse().map_err(|_| ConnectError::BadProxy(place))?;
    match url.scheme_str() {
        Some("http" | "https" | "socks5") => Ok(url),
        _ => Err(ConnectError::BadProxy(place)),
    }
}

/// Go's clients reach the machine they run on directly, whatever `NO_PROXY` says.
fn is_exempt(server: &Uri, environment: &Environment) -> bool {
    let host = server.host().unwrap_or_default();
    let address: Option<IpAddr> = host.trim_matches(['[', ']']).parse().ok();
    if host == "localhost" || address.is_some_and(|address| address.is_loopback()) {
        return true;
    }
    let exceptions = environment.any_variable(&["NO_PROXY", "no_proxy"]);
    let exceptions = applicable(&exceptions.unwrap_or_default(), port(server));
    let matcher = Matcher::builder()
        .all("http://proxy")
        .no(exceptions)
        .build();
    matcher.intercept(server).is_none()
}

/// The exceptions in the matcher's terms, without those for other ports, which it doesn't know.
fn applicable(exceptions: &str, port: u16) -> String {
    let hosts = exceptions.split(',').map(str::trim).filter_map(|entry| {
        let (host, of_port) = match entry.rsplit_once(':') {
            Some((host, digits)) if !host.contains(':') || host.ends_with(']') => {
                (host, digits.parse().ok())
            }
            _ => (entry, None),
        };
        let host = host
            .strip_prefix('*')
            .filter(|rest| !rest.is_empty())
            .unwrap_or(host);
        of_port
            .is_none_or(|of_port: u16| of_port == port)
            .then_some(host)
    });
    hosts.collect::<Vec<_>>().join(",")
}

fn port(server: &Uri) -> u16 {
    let default = if server.scheme_str() == Some("http") {
        80
    } else {
        443
    };
    server.port_u16().unwrap_or(default)
}
