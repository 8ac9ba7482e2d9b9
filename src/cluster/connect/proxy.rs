//! Which proxy leads to the API server: the kubeconfig's, or the environment's as Go reads it.
//!
//! kube's own reading compares `NO_PROXY` with the proxy's address rather than the API server's, so it
//! isn't used.

use std::net::IpAddr;

use http::Uri;

use super::{ConnectError, environment::Environment};

/// The proxy to use. A kubeconfig's `proxy-url` is used in any case, as in kubectl.
pub(super) fn choose(
    proxy_url: Option<&str>,
    server: &Uri,
    environment: &Environment,
) -> Result<Option<Uri>, ConnectError> {
    if let Some(proxy) = proxy_url.filter(|proxy| !proxy.is_empty()) {
        return parse(proxy, "the kubeconfig's proxy-url").map(Some);
    }
    let (proxy, origin) = match server.scheme_str() {
        Some("http") => (&environment.http_proxy, "$HTTP_PROXY"),
        _ => (&environment.https_proxy, "$HTTPS_PROXY"),
    };
    match proxy {
        Some(proxy) if !is_exempt(server, environment.no_proxy.as_deref()) => {
            parse(proxy, origin).map(Some)
        }
        _ => Ok(None),
    }
}

fn parse(proxy: &str, origin: &'static str) -> Result<Uri, ConnectError> {
    let full = if proxy.contains("://") {
        proxy.to_owned()
    } else {
        format!("http://{proxy}")
    };
    let invalid = |problem: String| ConnectError::InvalidProxy {
        proxy: without_password(proxy),
        origin,
        problem,
    };
    let uri: Uri = full
        .parse()
        .map_err(|error: http::uri::InvalidUri| invalid(error.to_string()))?;
    match uri.scheme_str() {
        Some("http" | "https" | "socks5") => Ok(uri),
        _ => Err(invalid(
            "it must begin with http://, https:// or socks5://".to_owned(),
        )),
    }
}

fn without_password(proxy: &str) -> String {
    match proxy.rsplit_once('@') {
        Some((_, host)) => format!("***@{host}"),
        None => proxy.to_owned(),
    }
}

/// Whether no proxy is used for a host: it is this machine, or `NO_PROXY` has it.
fn is_exempt(server: &Uri, no_proxy: Option<&str>) -> bool {
    let host = server.host().unwrap_or_default();
    let host = host
        .trim_start_matches('[')
        .trim_end_matches(']')
        .to_ascii_lowercase();
    let address: Option<IpAddr> = host.parse().ok();
    if host == "localhost" || address.is_some_and(|address| address.is_loopback()) {
        return true;
    }
    let port = server
        .port_u16()
        .unwrap_or(if server.scheme_str() == Some("http") {
            80
        } else {
            443
        });
    let entries = no_proxy.unwrap_or_default().split(',').map(str::trim);
    entries.filter(|entry| !entry.is_empty()).any(|entry| {
        entry == "*"
            || match address {
                Some(address) => matches_address(entry, address, port),
                None => matches_name(entry, &host, port),
            }
    })
}

fn matches_address(entry: &str, address: IpAddr, port: u16) -> bool {
    if let Some((network, length)) = entry.split_once('/') {
        return match (network.parse(), length.parse()) {
            (Ok(network), Ok(length)) => contains(network, length, address),
            _ => false,
        };
    }
    if let Ok(entry) = entry.trim_matches(['[', ']']).parse::<IpAddr>() {
        return entry == address;
    }
    entry
        .parse()
        .is_ok_and(|entry: std::net::SocketAddr| entry.ip() == address && entry.port() == port)
}

fn contains(network: IpAddr, length: u32, address: IpAddr) -> bool {
    let (network, address, width) = match (network, address) {
        (IpAddr::V4(network), IpAddr::V4(address)) => (
            u128::from(network.to_bits()),
            u128::from(address.to_bits()),
            32,
        ),
        (IpAddr::V6(network), IpAddr::V6(address)) => (network.to_bits(), address.to_bits(), 128),
        _ => return false,
    };
    let Some(rest) = u32::checked_sub(width, length) else {
        return false;
    };
    // A shift by all the bits, for the network of everything, overflows.
    network.checked_shr(rest).unwrap_or(0) == address.checked_shr(rest).unwrap_or(0)
}

/// `example.org` has its subdomains with it; `.example.org` and `*.example.org` are those alone.
fn matches_name(entry: &str, host: &str, port: u16) -> bool {
    let (name, wanted_port) = match entry.rsplit_once(':') {
        Some((name, wanted)) => (name, Some(wanted)),
        None => (entry, None),
    };
    if wanted_port.is_some_and(|wanted| wanted.parse() != Ok(port)) {
        return false;
    }
    let name = name.to_ascii_lowercase();
    let name = name.strip_prefix('*').unwrap_or(&name);
    if name.starts_with('.') {
        return host.ends_with(name);
    }
    host == name
        || host
            .strip_suffix(name)
            .is_some_and(|rest| rest.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_proxy(no_proxy: &str) -> Environment {
        Environment {
            https_proxy: Some("proxy.example:3128".to_owned()),
            no_proxy: Some(no_proxy.to_owned()),
            ..Environment::default()
        }
    }

    #[test]
    fn no_proxy_is_about_the_api_server() {
        let table = [
            ("", "https://api.example.org", false),
            ("example.org", "https://api.example.org", true),
            ("example.org", "https://EXAMPLE.org", true),
            ("ample.org", "https://example.org", false),
            (".example.org", "https://example.org", false),
            ("*.example.org", "https://api.example.org", true),
            ("example.org:6443", "https://example.org:6443", true),
            ("example.org:6443", "https://example.org", false),
            ("proxy.example", "https://api.example.org", false),
            ("a,, *", "https://api.example.org", true),
            ("10.0.0.0/8", "https://10.2.3.4:6443", true),
            ("10.0.0.0/8", "https://11.2.3.4:6443", false),
            ("0.0.0.0/0", "https://11.2.3.4", true),
            ("10.0.0.0/99", "https://10.2.3.4", false),
            ("10.2.3.4", "https://10.2.3.4:6443", true),
            ("10.2.3.4:443", "https://10.2.3.4:6443", false),
            ("fd00::/8", "https://[fd00::1]:6443", true),
            ("fd00::1", "https://[fd00::1]:6443", true),
            ("", "https://127.0.0.1:6443", true),
            ("", "https://[::1]:6443", true),
            ("", "https://localhost", true),
        ];
        for (no_proxy, server, exempt) in table {
            let proxy = choose(None, &server.parse().unwrap(), &with_proxy(no_proxy)).unwrap();
            assert_eq!(proxy.is_none(), exempt, "{no_proxy} {server}");
        }
    }

    #[test]
    fn the_kubeconfigs_proxy_beats_the_environment() {
        let server = "https://127.0.0.1:6443".parse().unwrap();
        let proxy = choose(Some("socks5://p:1080"), &server, &with_proxy("*")).unwrap();
        assert_eq!(proxy, Some("socks5://p:1080".parse().unwrap()));
    }

    #[test]
    fn a_password_is_not_shown() {
        let server = "https://api.example.org".parse().unwrap();
        let error = choose(Some("ftp://me:hush@p"), &server, &Environment::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the proxy \"***@p\" from the kubeconfig's proxy-url can't be used: \
             it must begin with http://, https:// or socks5://"
        );
    }
}
