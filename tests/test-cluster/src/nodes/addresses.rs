//! Which addresses a cluster with nodes uses.
//!
//! All are of 198.18.0.0/15, which RFC 2544 sets apart for tests of networks, so they are nobody's
//! on the machine or beyond it. Each cluster has a /20 of it: its first /24 is for the nodes and
//! the machine's own end, and its upper half has a /24 of pods for each of eight nodes.

use std::net::Ipv4Addr;

/// How many clusters with nodes fit beside each other.
pub(crate) const CLUSTERS: u8 = 32;

/// The addresses of one cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Addresses {
    index: u8,
}

impl Addresses {
    /// Those of the cluster with this index, which is less than [`CLUSTERS`].
    pub(crate) fn of(index: u8) -> Self {
        assert!(index < CLUSTERS, "a cluster's index is less than 32");
        Self { index }
    }

    /// What the machine's end of the network is called; the kernel refuses a second one.
    pub(crate) fn link(self) -> String {
        format!("test-cluster-{}", self.index)
    }

    /// The machine's own address, at which the nodes find the API server.
    pub(crate) fn machine(self) -> Ipv4Addr {
        self.at(0, 254)
    }

    /// The address of a node, counted from 0.
    pub(crate) fn node(self, number: u8) -> Ipv4Addr {
        self.at(0, number + 1)
    }

    /// The range of a node's pods.
    pub(crate) fn pods(self, number: u8) -> String {
        format!("{}/24", self.at(8 + number, 0))
    }

    /// The range of all pods.
    pub(crate) fn all_pods(self) -> String {
        format!("{}/21", self.at(8, 0))
    }

    fn at(self, subnet: u8, host: u8) -> Ipv4Addr {
        let (upper, lower) = (self.index / 16, self.index % 16);
        Ipv4Addr::new(198, 18 + upper, lower * 16 + subnet, host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cluster_has_ranges_of_its_own() {
        let first = Addresses::of(0);
        assert_eq!(first.machine(), Ipv4Addr::new(198, 18, 0, 254));
        assert_eq!(first.node(0), Ipv4Addr::new(198, 18, 0, 1));
        assert_eq!(first.pods(0), "198.18.8.0/24");
        assert_eq!(first.pods(7), "198.18.15.0/24");
        assert_eq!(first.all_pods(), "198.18.8.0/21");
        let last = Addresses::of(CLUSTERS - 1);
        assert_eq!(last.machine(), Ipv4Addr::new(198, 19, 240, 254));
        assert_eq!(last.pods(7), "198.19.255.0/24");
    }

    #[test]
    fn the_link_s_name_fits_into_what_linux_allows() {
        assert!(Addresses::of(CLUSTERS - 1).link().len() <= 15);
    }
}
