//! From a host's name to its addresses. What is checked here is what is connected to, so that a name
//! can't stand for one address when it is checked and for another one afterwards.

use std::{
    collections::BTreeMap,
    io,
    net::{IpAddr, SocketAddr, ToSocketAddrs as _},
    sync::Arc,
};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::rates::provider::public;

/// Finds the addresses of hosts.
pub struct Lookup {
    /// Those that are known beforehand.
    pub hosts: Arc<BTreeMap<String, Vec<IpAddr>>>,
    /// Whether all others than those of the public internet are left out.
    pub only_public: bool,
}

/// Nobody knows the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no such host")]
pub struct NoSuchHost;

/// The name stands for addresses of somebody's own network only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the host's address isn't of the public internet, which is all that objects may name")]
pub struct NotPublic;

impl Resolve for Lookup {
    fn resolve(&self, name: Name) -> Resolving {
        let host = name.as_str().to_owned();
        let hosts = Arc::clone(&self.hosts);
        let only_public = self.only_public;
        Box::pin(async move {
            // The system's own function waits, and so needs a thread.
            let found = tokio::task::spawn_blocking(move || find(&host, &hosts));
            let found = found.await?.map_err(|_| NoSuchHost)?;
            Ok(Box::new(allowed(found, only_public)?.into_iter()) as Addrs)
        })
    }
}

fn find(host: &str, hosts: &BTreeMap<String, Vec<IpAddr>>) -> io::Result<Vec<SocketAddr>> {
    if let Some(addresses) = hosts.get(host) {
        let with_port = |address: &IpAddr| SocketAddr::new(*address, 0);
        return Ok(addresses.iter().map(with_port).collect());
    }
    Ok((host, 0).to_socket_addrs()?.collect())
}

fn allowed(found: Vec<SocketAddr>, only_public: bool) -> Result<Vec<SocketAddr>, NotPublic> {
    let may = |address: &SocketAddr| !only_public || public::is_public(address.ip());
    let allowed: Vec<_> = found.into_iter().filter(may).collect();
    if allowed.is_empty() && only_public {
        return Err(NotPublic);
    }
    Ok(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(texts: &[&str]) -> Vec<SocketAddr> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn addresses_of_one_s_own_network_are_left_out() {
        let found = addresses(&["127.0.0.1:0", "1.1.1.1:0", "[::1]:0", "[::ffff:10.0.0.1]:0"]);
        assert_eq!(allowed(found.clone(), true), Ok(addresses(&["1.1.1.1:0"])));
        assert_eq!(allowed(found.clone(), false), Ok(found));
        assert_eq!(allowed(addresses(&["10.0.0.1:0"]), true), Err(NotPublic));
    }
}
