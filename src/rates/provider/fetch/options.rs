//! How feeds are got: times, sizes and places.

use std::{collections::BTreeMap, net::IpAddr, path::PathBuf, time::Duration};

/// How feeds are got.
#[derive(Clone, Debug)]
pub struct WebOptions {
    /// The longest that a connection may take to come about.
    pub connect_timeout: Duration,
    /// The longest that a server may be silent.
    pub idle_timeout: Duration,
    /// The longest that a feed may take, with all attempts.
    pub total_timeout: Duration,
    /// The first wait between two attempts; the next one is twice as long.
    pub backoff: Duration,
    /// The most bytes of an answer, unpacked.
    pub max_body: u64,
    /// A file of PEM certificates of authorities that are trusted beside the system's. Where those are
    /// is the system's matter; on Linux `SSL_CERT_FILE` and `SSL_CERT_DIR` say so.
    pub authorities: Option<PathBuf>,
    /// The folder for answers that may be used again.
    pub cache: Option<PathBuf>,
    /// Ask whatever is in the cache.
    pub ignore_cache: bool,
    /// The longest that we wait beyond the moment of an update, so that not all come at once.
    pub longest_delay: Duration,
    /// What is between us and the internet.
    pub proxies: Proxies,
    /// Addresses of hosts that the system isn't asked about, as in `/etc/hosts`.
    pub hosts: BTreeMap<String, Vec<IpAddr>>,
}

/// What is between us and the internet.
#[derive(Clone, Debug)]
pub enum Proxies {
    /// What `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` say.
    Environment,
    /// Nothing.
    None,
    /// This proxy, for everything.
    All(String),
}

impl Default for WebOptions {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(10),
            total_timeout: Duration::from_secs(30),
            backoff: Duration::from_millis(500),
            max_body: 16 << 20,
            authorities: None,
            cache: None,
            ignore_cache: false,
            longest_delay: Duration::from_mins(1),
            proxies: Proxies::Environment,
            hosts: BTreeMap::new(),
        }
    }
}
