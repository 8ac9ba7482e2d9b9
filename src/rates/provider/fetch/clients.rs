//! The HTTP clients: one that goes anywhere, and one that only goes to the public internet.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use hyper_util::client::proxy::matcher::Matcher;
use reqwest::{Certificate, Client, ClientBuilder, Proxy, Url, redirect, retry};

use super::{
    lookup::Lookup,
    options::{Proxies, WebOptions},
};
use crate::rates::provider::{Failure, permissions::Reach};

const USER_AGENT: &str = concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION"));

/// Why nothing can be fetched at all.
#[derive(Debug, thiserror::Error)]
pub enum WebError {
    /// The authorities' file can't be read.
    #[error("the certificates {} can't be read: {reason}", path.display())]
    Authorities {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The proxy's address can't be understood.
    #[error(
        "{0:?} is not the address of a proxy: it must be an http://, https:// or socks5:// URL"
    )]
    BadProxy(String),
}

/// The HTTP clients. Each is made when it is first needed: one for files alone does without the
/// system's list of authorities, which a small container may not have.
pub struct Clients {
    options: WebOptions,
    authorities: Vec<Certificate>,
    proxy: Option<Proxy>,
    proxies: Matcher,
    anywhere: OnceLock<Result<Client, Failure>>,
    public: OnceLock<Result<Client, Failure>>,
}

impl Clients {
    /// Reads what the options name. Nothing is sent yet.
    pub fn new(options: &WebOptions) -> Result<Self, WebError> {
        let authorities = options
            .authorities
            .as_deref()
            .map_or(Ok(Vec::new()), authorities)?;
        let (proxy, proxies) = match &options.proxies {
            Proxies::Environment => (None, Matcher::from_system()),
            Proxies::None => (None, Matcher::builder().build()),
            Proxies::All(url) => {
                let proxy = Proxy::all(url).map_err(|_| WebError::BadProxy(url.clone()))?;
                (Some(proxy), Matcher::builder().all(url.clone()).build())
            }
        };
        Ok(Self {
            options: options.clone(),
            authorities,
            proxy,
            proxies,
            anywhere: OnceLock::new(),
            public: OnceLock::new(),
        })
    }

    /// The client for an address. A proxy looks names up itself, in its own network, and our own check
    /// of what they stand for would only hit the proxy; so what goes through one is checked by name alone.
    pub fn client(&self, url: &Url, reach: Reach) -> Result<&Client, Failure> {
        let client = if reach == Reach::Anywhere || self.is_proxied(url) {
            self.anywhere.get_or_init(|| self.anywhere())
        } else {
            self.public
                .get_or_init(|| self.build(builder(&self.options).no_proxy(), true))
        };
        client.as_ref().map_err(Failure::clone)
    }

    /// Whether requests to an address go through a proxy.
    pub fn is_proxied(&self, url: &Url) -> bool {
        let uri = url.as_str().parse::<http::Uri>();
        uri.is_ok_and(|uri| self.proxies.intercept(&uri).is_some())
    }

    fn anywhere(&self) -> Result<Client, Failure> {
        let builder = builder(&self.options);
        let builder = match (&self.options.proxies, &self.proxy) {
            (Proxies::Environment, _) => builder,
            (_, Some(proxy)) => builder.proxy(proxy.clone()),
            (_, None) => builder.no_proxy(),
        };
        self.build(builder, false)
    }

    fn build(&self, builder: ClientBuilder, only_public: bool) -> Result<Client, Failure> {
        // The first to install one wins, and ours is the only one that is built in.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let lookup = Lookup {
            hosts: Arc::new(self.options.hosts.clone()),
            only_public,
        };
        let builder = builder
            .tls_certs_merge(self.authorities.clone())
            .dns_resolver(lookup);
        let client = builder.build();
        client.map_err(|error| Failure::TlsFailed(innermost(&error.without_url())))
    }
}

/// We follow redirections and try again by ourselves, as both need more care than a client can know.
fn builder(options: &WebOptions) -> ClientBuilder {
    Client::builder()
        .user_agent(USER_AGENT)
        .connect_timeout(options.connect_timeout)
        .read_timeout(options.idle_timeout)
        .redirect(redirect::Policy::none())
        .retry(retry::never())
        .referer(false)
}

fn authorities(path: &Path) -> Result<Vec<Certificate>, WebError> {
    let refuse = |reason: String| WebError::Authorities {
        path: path.to_owned(),
        reason,
    };
    let text = std::fs::read(path).map_err(|error| refuse(error.to_string()))?;
    let certificates = Certificate::from_pem_bundle(&text);
    let certificates = certificates.map_err(|error| refuse(innermost(&error)))?;
    if certificates.is_empty() {
        return Err(refuse("it holds no certificate in PEM form".to_owned()));
    }
    Ok(certificates)
}

fn innermost(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.last().unwrap_or(error).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(options: &WebOptions) -> String {
        Clients::new(options).map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn what_can_t_be_used_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ca.crt");
        let options = || WebOptions {
            authorities: Some(path.clone()),
            ..WebOptions::default()
        };
        assert!(refused(&options()).contains("ca.crt can't be read: No such file"));
        std::fs::write(&path, "nothing").unwrap();
        assert!(refused(&options()).ends_with("it holds no certificate in PEM form"));
        let proxies = Proxies::All("not a proxy".to_owned());
        let options = WebOptions {
            proxies,
            ..WebOptions::default()
        };
        assert!(refused(&options).starts_with("\"not a proxy\" is not the address of a proxy"));
    }

    #[test]
    fn an_address_behind_a_proxy_is_known_as_such() {
        let url = Url::parse("https://rates.example/a").unwrap();
        let clients = |proxies| {
            Clients::new(&WebOptions {
                proxies,
                ..WebOptions::default()
            })
            .unwrap()
        };
        assert!(!clients(Proxies::None).is_proxied(&url));
        assert!(clients(Proxies::All("http://127.0.0.1:3128".to_owned())).is_proxied(&url));
    }
}
