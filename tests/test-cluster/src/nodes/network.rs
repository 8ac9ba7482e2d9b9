//! The nodes' network: a switch in a network namespace of its own, a namespace for each node, and
//! one link to the machine.
//!
//! Nothing of it has to be taken down. The namespaces have names only in a `/run` that one process
//! sees, the *room*; when that and the nodes are gone, the kernel removes them with all that is in
//! them, and with them the machine's end of the link, its address and its routes. The name of that
//! link is also the lock on the cluster's addresses: the kernel refuses a second one.
//!
//! There is no default route anywhere: what isn't for the cluster goes nowhere.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, empty};
use std::path::PathBuf;
use std::process::{Command, id};

use super::addresses::{Addresses, CLUSTERS};
use super::fleet::NAMES;
use super::programs::run;
use crate::arguments::SERVICE_RANGE;
use crate::directory::ClusterDirectory;
use crate::error::Error;
use crate::lifeline::Lifeline;
use crate::process::Process;

const ROOM: &str = "mount -t tmpfs tmpfs /run && echo ready && exec sleep infinity";

/// The network of one cluster with nodes.
#[derive(Debug)]
pub(crate) struct Network {
    pub(crate) addresses: Addresses,
    /// The process whose namespaces hold the switch and the nodes' names.
    room: u32,
}

impl Network {
    /// Lays the network for so many nodes. The process holds it.
    pub(crate) fn lay(
        nodes: u8,
        directory: &ClusterDirectory,
        lifeline: &Lifeline,
    ) -> Result<(Self, Process), Error> {
        let process = open_room(directory, lifeline)?;
        let addresses = claim(process.id())?;
        let network = Self {
            addresses,
            room: process.id(),
        };
        network.inside(&["-batch", "-"], &switch(nodes))?;
        for number in 0..nodes {
            let node = NAMES[usize::from(number)];
            network.inside(
                &["-netns", node, "-batch", "-"],
                &node_end(addresses, number, nodes),
            )?;
        }
        let text = machine_end(addresses, nodes);
        run(Command::new("ip").args(["-batch", "-"]), text.as_bytes())?;
        Ok((network, process))
    }

    /// A file that stands for a node's network namespace.
    pub(crate) fn namespace(&self, node: &str) -> PathBuf {
        PathBuf::from(format!("/proc/{}/root/run/netns/{node}", self.room))
    }

    fn inside(&self, arguments: &[&str], input: &str) -> Result<(), Error> {
        let mut command = Command::new("nsenter");
        command
            .arg(format!("--target={}", self.room))
            .args(["--net", "--mount", "ip"])
            .args(arguments);
        run(&mut command, input.as_bytes()).map(drop)
    }
}

/// Starts the process that holds the namespaces, and waits until it has them: a command that came
/// too early would be at work in the machine's own.
fn open_room(directory: &ClusterDirectory, lifeline: &Lifeline) -> Result<Process, Error> {
    let mut command = Command::new("unshare");
    command
        .args(["--net", "--mount", "--fork", "--kill-child"])
        .args(["sh", "-c", ROOM, "network"])
        // Whoever finds it left over sees by this whose it is.
        .arg(directory.path().join(""));
    let (mut process, stdout) = Process::start_heard("network", command, directory, lifeline)?;
    let mut line = String::new();
    BufReader::new(stdout)
        .read_line(&mut line)
        .map_err(Error::system("hear from the nodes' network"))?;
    if line.is_empty() {
        process.wait()?;
        process.check()?;
    }
    Ok(process)
}

/// Links the room with the machine, under the first name that is free.
fn claim(room: u32) -> Result<Addresses, Error> {
    for index in 0..CLUSTERS {
        let addresses = Addresses::of(index);
        let mut command = Command::new("nsenter");
        command
            .arg(format!("--target={room}"))
            .args(["--net", "ip", "link", "add", "uplink", "type", "veth"])
            .args(["peer", "name", &addresses.link()])
            .args(["netns", &id().to_string()]);
        match run(&mut command, empty()) {
            Ok(_) => return Ok(addresses),
            Err(Error::Command { output, .. }) if output.contains("File exists") => {}
            Err(error) => return Err(error),
        }
    }
    Err(Error::NoRoomForNodes(CLUSTERS))
}

/// What makes the switch, the nodes' namespaces, and the links between them.
fn switch(nodes: u8) -> String {
    let mut text = String::from(
        "link add switch type bridge\n\
         link set switch up\n\
         link set uplink master switch up\n",
    );
    for node in &NAMES[..usize::from(nodes)] {
        let _ = write!(
            text,
            "netns add {node}\n\
             link add {node} type veth peer name eth0 netns {node}\n\
             link set {node} master switch up\n"
        );
    }
    text
}

/// What gives a node its address and its routes. Those to Services are there because the kernel
/// looks for a route before kube-proxy's rules put a pod's address in the Service's place.
fn node_end(addresses: Addresses, number: u8, nodes: u8) -> String {
    let mut text = format!(
        "link set lo up\n\
         address add {}/24 dev eth0\n\
         link set eth0 up\n\
         route add {SERVICE_RANGE} dev eth0\n",
        addresses.node(number)
    );
    for other in (0..nodes).filter(|other| *other != number) {
        text.push_str(&route_to_pods(addresses, other));
    }
    text
}

/// What gives the machine its address and its routes to the pods, without which it couldn't answer
/// them.
fn machine_end(addresses: Addresses, nodes: u8) -> String {
    let link = addresses.link();
    let mut text = format!(
        "address add {}/24 dev {link}\nlink set {link} up\n",
        addresses.machine()
    );
    for number in 0..nodes {
        text.push_str(&route_to_pods(addresses, number));
    }
    text
}

fn route_to_pods(addresses: Addresses, number: u8) -> String {
    let (pods, node) = (addresses.pods(number), addresses.node(number));
    format!("route add {pods} via {node}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_knows_the_way_to_the_pods_of_all_others_and_nowhere_else() {
        let text = node_end(Addresses::of(0), 1, 3);
        assert!(
            text.contains("address add 198.18.0.2/24 dev eth0\n"),
            "{text}"
        );
        let routes: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("route add "))
            .collect();
        assert_eq!(
            routes,
            [
                "10.0.0.0/24 dev eth0",
                "198.18.8.0/24 via 198.18.0.1",
                "198.18.10.0/24 via 198.18.0.3",
            ]
        );
    }

    #[test]
    fn every_node_is_on_the_switch() {
        let text = switch(2);
        for node in ["node-1", "node-2"] {
            let line = format!("link set {node} master switch up\n");
            assert!(text.contains(&line), "{text}");
        }
        assert!(!text.contains("node-3"), "{text}");
    }
}
