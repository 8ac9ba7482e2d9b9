//! All that is there before a cluster's first component starts: binaries, the folder, the nodes'
//! network, ports and credentials.

use std::net::{Ipv4Addr, SocketAddrV4};

use crate::api_probe::ApiProbe;
use crate::assets::{self, Purpose};
use crate::cluster::Options;
use crate::control_plane::{Parts, Ports};
use crate::credentials::Credentials;
use crate::directory::ClusterDirectory;
use crate::error::Error;
use crate::lifeline::Lifeline;
use crate::nodes::{self, Fleet};
use crate::process::Process;

/// What a cluster is started from.
pub(crate) struct Preparation {
    pub(crate) parts: Parts,
    pub(crate) credentials: Credentials,
    /// What runs already.
    pub(crate) processes: Vec<Process>,
}

impl Preparation {
    pub(crate) fn of(options: Options) -> Result<Self, Error> {
        // What nodes lack is said before anything is built, which takes minutes.
        let plugins = nodes::require(options.nodes)?;
        let assets = assets::locate(Purpose {
            controllers: options.controllers,
            nodes: plugins.is_some(),
        })?;
        let directory = ClusterDirectory::create(options.dir.as_deref())?;
        let lifeline = Lifeline::tie(&directory)?;
        let lay = |plugins| Fleet::gather(options.nodes, plugins, &directory, &lifeline);
        let (fleet, network) = plugins.map(lay).transpose()?.unzip();
        let reserved = Ports::reserve()?;
        let address = api_server_address(fleet.as_ref(), &reserved);
        let credentials = Credentials::create(&directory, address)?;
        if let Some(fleet) = &fleet {
            fleet.prepare(directory.path(), &credentials)?;
        }
        let probe = ApiProbe::new(address, credentials.ca(), &credentials.admin)?;
        let parts = Parts {
            assets,
            directory,
            lifeline,
            ports: reserved,
            address,
            probe,
            controllers: options.controllers,
            api_server_args: options.api_server_args,
            fleet,
        };
        Ok(Self {
            parts,
            credentials,
            processes: network.into_iter().collect(),
        })
    }
}

/// Loopback, or the machine's address in the nodes' network. A port that is reserved on loopback is
/// free there too: nobody else has that address, and nobody can serve on all addresses.
fn api_server_address(fleet: Option<&Fleet>, ports: &Ports) -> SocketAddrV4 {
    let ip = fleet.map_or(Ipv4Addr::LOCALHOST, |fleet| fleet.addresses().machine());
    SocketAddrV4::new(ip, ports.api_server.number())
}
