//! The running components: started in order, waited for, killed and started again.

use std::net::{Ipv4Addr, SocketAddrV4, TcpStream};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::api_probe::ApiProbe;
use crate::arguments::{self, ApiServer};
use crate::components::{API_SERVER, CONTROLLER_MANAGER, ETCD_SERVER, KUBELET, PROXY, SCHEDULER};
use crate::directory::ClusterDirectory;
use crate::error::Error;
use crate::lifeline::Lifeline;
use crate::nodes::{Fleet, NAMES};
use crate::ports::ReservedPort;
use crate::process::{Process, log_path, tail};

const START_DEADLINE: Duration = Duration::from_mins(1);
const POLL_INTERVAL: Duration = Duration::from_millis(25);

/// What the cluster's clients rely on.
const SERVING: [(&str, &str); 2] = [
    ("readiness of kube-apiserver", "/readyz"),
    (
        "creation of the namespace default",
        "/api/v1/namespaces/default",
    ),
];

/// What pods rely on; its existence also tells that the controllers work.
const CONTROLLED: (&str, &str) = (
    "creation of the service account default by kube-controller-manager",
    "/api/v1/namespaces/default/serviceaccounts/default",
);

/// The ports of a cluster.
#[derive(Debug)]
pub(crate) struct Ports {
    pub(crate) api_server: ReservedPort,
    etcd_client: ReservedPort,
    etcd_peer: ReservedPort,
}

/// What the control plane is made from.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) assets: PathBuf,
    pub(crate) directory: ClusterDirectory,
    pub(crate) lifeline: Lifeline,
    pub(crate) ports: Ports,
    /// Where the API server serves: on loopback, or where nodes find it.
    pub(crate) address: SocketAddrV4,
    pub(crate) probe: ApiProbe,
    pub(crate) controllers: bool,
    pub(crate) api_server_args: Vec<String>,
    pub(crate) fleet: Option<Fleet>,
}

/// etcd, kube-apiserver and, if wanted, kube-controller-manager and nodes with kube-scheduler.
#[derive(Debug)]
pub(crate) struct ControlPlane {
    parts: Parts,
    processes: Vec<Process>,
    etcd: Option<Process>,
    api_server: Option<Process>,
}

impl Ports {
    pub(crate) fn reserve() -> Result<Self, Error> {
        Ok(Self {
            api_server: ReservedPort::reserve()?,
            etcd_client: ReservedPort::reserve()?,
            etcd_peer: ReservedPort::reserve()?,
        })
    }
}

impl ControlPlane {
    /// Starts everything, beside `processes` that run already, and waits until it works. On
    /// failure, dropping it stops what was started.
    pub(crate) fn start(parts: Parts, processes: Vec<Process>) -> Result<Self, Error> {
        let mut plane = Self {
            parts,
            processes,
            etcd: None,
            api_server: None,
        };
        plane.start_etcd()?;
        plane.start_api_server()?;
        let folder = plane.parts.directory.path().to_owned();
        if plane.parts.controllers {
            let arguments = arguments::controller_manager(&folder);
            let process = plane.spawn(CONTROLLER_MANAGER, &arguments)?;
            plane.processes.push(process);
        }
        let nodes = plane.boot_nodes()?;
        if plane.parts.controllers {
            plane.wait_for_answer(CONTROLLED, CONTROLLER_MANAGER)?;
        }
        nodes
            .iter()
            .try_for_each(|node| plane.wait_for_node(node))?;
        Ok(plane)
    }

    /// The name of each node, with the id of a process in its mount namespace.
    pub(crate) fn nodes(&self) -> Vec<(&'static str, u32)> {
        let nodes = self.processes.iter();
        nodes
            .map(|process| (process.name(), process.id()))
            .filter(|(name, _)| NAMES.contains(name))
            .collect()
    }

    /// The process ids of the components that were started and not killed.
    pub(crate) fn process_ids(&self) -> Vec<u32> {
        self.processes
            .iter()
            .chain(&self.etcd)
            .chain(&self.api_server)
            .map(Process::id)
            .collect()
    }

    /// An error if a component ended that should run.
    pub(crate) fn check(&mut self) -> Result<(), Error> {
        self.processes
            .iter_mut()
            .chain(&mut self.etcd)
            .chain(&mut self.api_server)
            .try_for_each(Process::check)
    }

    /// Starts kube-apiserver, unless it was started and not killed, and waits until it serves.
    pub(crate) fn start_api_server(&mut self) -> Result<(), Error> {
        if self.api_server.is_none() {
            let parts = &self.parts;
            let mut arguments = arguments::api_server(&ApiServer {
                folder: parts.directory.path(),
                address: parts.address,
                etcd_port: parts.ports.etcd_client.number(),
                controllers: parts.controllers,
                nodes: parts.fleet.is_some(),
            });
            arguments.extend_from_slice(&self.parts.api_server_args);
            self.api_server = Some(self.spawn(API_SERVER, &arguments)?);
        }
        SERVING
            .into_iter()
            .try_for_each(|goal| self.wait_for_answer(goal, API_SERVER))
    }

    /// Kills kube-apiserver with SIGKILL. Its port is free when this returns, yet stays reserved.
    pub(crate) fn kill_api_server(&mut self) -> Result<(), Error> {
        self.api_server
            .take()
            .map_or(Ok(()), |mut process| process.kill())
    }

    /// Kills etcd with SIGKILL. Its data stays.
    pub(crate) fn kill_etcd(&mut self) -> Result<(), Error> {
        self.etcd
            .take()
            .map_or(Ok(()), |mut process| process.kill())
    }

    /// Stops everything and removes the folder.
    pub(crate) fn stop(&mut self) -> Result<(), Error> {
        self.parts.lifeline.kill_all();
        let processes = self.processes.iter_mut();
        for process in processes.chain(&mut self.etcd).chain(&mut self.api_server) {
            process.wait()?;
        }
        self.parts.lifeline.cut();
        let folder = self.parts.directory.path();
        if folder.exists() {
            Err(Error::DirectoryRemains(folder.to_owned()))
        } else {
            Ok(())
        }
    }

    /// Starts etcd, unless it was started and not killed, and waits until it listens.
    pub(crate) fn start_etcd(&mut self) -> Result<(), Error> {
        if self.etcd.is_some() {
            return Ok(());
        }
        let Parts {
            directory, ports, ..
        } = &self.parts;
        let (client, peer) = (ports.etcd_client.number(), ports.etcd_peer.number());
        let process = self.spawn(
            ETCD_SERVER,
            &arguments::etcd(directory.path(), client, peer),
        )?;
        self.etcd = Some(process);
        // kube-apiserver would wait a whole second after a refused connection.
        self.wait("opening of etcd's port", ETCD_SERVER, |parts| {
            let port = parts.ports.etcd_client.number();
            TcpStream::connect((Ipv4Addr::LOCALHOST, port))
                .map(drop)
                .map_err(|error| error.to_string())
        })
    }

    /// Starts kube-scheduler and the nodes, if there are any, and gives their names.
    fn boot_nodes(&mut self) -> Result<&'static [&'static str], Error> {
        let Parts {
            assets,
            directory,
            lifeline,
            fleet: Some(fleet),
            ..
        } = &self.parts
        else {
            return Ok(&[]);
        };
        let scheduler = self.spawn(SCHEDULER, &arguments::scheduler(directory.path()))?;
        self.processes.push(scheduler);
        for (name, command) in fleet.boot(directory.path(), assets) {
            let process = Process::start(name, command, directory, lifeline)?;
            self.processes.push(process);
        }
        Ok(fleet.names())
    }

    /// Waits until a node takes pods, and its pods would find the API server.
    fn wait_for_node(&mut self, name: &str) -> Result<(), Error> {
        self.wait(
            "readiness of a node",
            &format!("{name}/{KUBELET}"),
            |parts| node_state(&parts.probe.get(&format!("/api/v1/nodes/{name}"))?),
        )?;
        let goal = "a way from a node to the API server's Service";
        self.wait(goal, &format!("{name}/{PROXY}"), |parts| {
            let fleet = parts.fleet.as_ref().expect("there is a node");
            fleet.reaches_api_server(name)
        })
    }

    fn spawn(&self, name: &'static str, arguments: &[String]) -> Result<Process, Error> {
        let Parts {
            assets,
            directory,
            lifeline,
            ..
        } = &self.parts;
        let mut command = Command::new(assets.join(name));
        command.args(arguments);
        Process::start(name, command, directory, lifeline)
    }

    /// Waits until a GET of the goal's path answers 200.
    fn wait_for_answer(&mut self, goal: (&'static str, &str), culprit: &str) -> Result<(), Error> {
        let (goal, path) = goal;
        self.wait(goal, culprit, |parts| parts.probe.get(path).map(drop))
    }

    /// Tries until it works, or a component ended; `culprit` is whose log an error quotes.
    fn wait(
        &mut self,
        goal: &'static str,
        culprit: &str,
        attempt: impl Fn(&Parts) -> Result<(), String>,
    ) -> Result<(), Error> {
        let deadline = Instant::now() + START_DEADLINE;
        loop {
            let Err(last) = attempt(&self.parts) else {
                return Ok(());
            };
            self.check()?;
            if Instant::now() > deadline {
                let log = log_path(&self.parts.directory, culprit);
                let (seconds, tail) = (START_DEADLINE.as_secs(), tail(&log));
                return Err(Error::NotReady {
                    goal,
                    seconds,
                    last,
                    log,
                    tail,
                });
            }
            std::thread::sleep(POLL_INTERVAL);
        }
    }
}

/// Whether a node, as the API server shows it, is ready; why not otherwise.
fn node_state(node: &str) -> Result<(), String> {
    let node: Value = serde_json::from_str(node).map_err(|error| error.to_string())?;
    let conditions = node["status"]["conditions"].as_array();
    let ready = conditions
        .into_iter()
        .flatten()
        .find(|condition| condition["type"] == "Ready");
    match ready {
        Some(condition) if condition["status"] == "True" => Ok(()),
        Some(condition) => Err(condition["message"].to_string()),
        None => Err("it hasn't reported yet".to_owned()),
    }
}

impl Drop for ControlPlane {
    fn drop(&mut self) {
        let _ = self.stop();
    }
}
