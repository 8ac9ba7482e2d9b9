//! All nodes of one cluster.

use std::io::empty;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::addresses::Addresses;
use super::machine::Machine;
use super::network::Network;
use super::run;
use crate::arguments::api_server_service_address;
use crate::credentials::Credentials;
use crate::directory::ClusterDirectory;
use crate::error::Error;
use crate::lifeline::Lifeline;
use crate::process::Process;

/// The most nodes that a cluster can have.
pub(crate) const LARGEST: u8 = 8;

/// What nodes are called.
pub(crate) const NAMES: [&str; LARGEST as usize] = [
    "node-1", "node-2", "node-3", "node-4", "node-5", "node-6", "node-7", "node-8",
];

/// Nodes that have a network, and are booted once the API server runs.
#[derive(Debug)]
pub(crate) struct Fleet {
    size: u8,
    network: Network,
    plugins: PathBuf,
}

impl Fleet {
    /// Lays the nodes' network, which the process holds. `plugins` is the folder of CNI's.
    pub(crate) fn gather(
        size: u8,
        plugins: PathBuf,
        directory: &ClusterDirectory,
        lifeline: &Lifeline,
    ) -> Result<(Self, Process), Error> {
        let (network, process) = Network::lay(size, directory, lifeline)?;
        let fleet = Self {
            size,
            network,
            plugins,
        };
        Ok((fleet, process))
    }

    pub(crate) fn addresses(&self) -> Addresses {
        self.network.addresses
    }

    pub(crate) fn names(&self) -> &'static [&'static str] {
        &NAMES[..usize::from(self.size)]
    }

    /// Writes what the nodes read when they boot.
    pub(crate) fn prepare(&self, cluster: &Path, credentials: &Credentials) -> Result<(), Error> {
        self.machines(cluster)
            .try_for_each(|machine| machine.prepare(&self.plugins, credentials))
    }

    /// The commands that boot the nodes, each with the node's name.
    pub(crate) fn boot(&self, cluster: &Path, binaries: &Path) -> Vec<(&'static str, Command)> {
        self.machines(cluster)
            .map(|machine| (machine.name, machine.boot(binaries)))
            .collect()
    }

    /// Whether a node reaches the API server by its Service, as pods do.
    pub(crate) fn reaches_api_server(&self, node: &str) -> Result<(), String> {
        let mut command = Command::new("nsenter");
        command
            .arg(format!("--net={}", self.network.namespace(node).display()))
            .args(["busybox", "nc", "-w", "1", api_server_service_address()])
            .args(["443", "-e", "true"]);
        run(&mut command, empty())
            .map(drop)
            .map_err(|error| error.to_string())
    }

    fn machines<'a>(&'a self, cluster: &'a Path) -> impl Iterator<Item = Machine<'a>> {
        (0..).zip(self.names()).map(move |(number, name)| Machine {
            name,
            number,
            cluster,
            network: &self.network,
        })
    }
}
