//! What a cluster leaves in the system: processes, ports, folders. And waiting for them to go.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

const PATIENCE: Duration = Duration::from_secs(20);

/// A process with its command line.
#[derive(Debug)]
pub struct Process {
    pub id: i32,
    pub arguments: Vec<String>,
}

impl Process {
    pub fn program(&self) -> &str {
        self.arguments[0].rsplit('/').next().unwrap_or_default()
    }

    pub fn kill(&self) {
        signal(self.id, Signal::KILL);
    }
}

/// Sends a signal to a process of ours.
pub fn signal(process: i32, signal: Signal) {
    kill_process(Pid::from_raw(process).expect("a process id"), signal).expect("a signal sent");
}

/// The live processes with `folder` in their arguments; zombies have none.
pub fn processes_in(folder: &Path) -> Vec<Process> {
    let folder = folder.to_str().expect("a temporary folder in UTF-8");
    let mentions = |process: &Process| process.arguments.iter().any(|text| text.contains(folder));
    all_processes().filter(mentions).collect()
}

fn all_processes() -> impl Iterator<Item = Process> {
    fs::read_dir("/proc")
        .expect("/proc")
        .flatten()
        .filter_map(|entry| {
            let id = entry.file_name().to_str()?.parse().ok()?;
            let line = fs::read_to_string(entry.path().join("cmdline")).ok()?;
            let arguments = line.split_terminator('\0').map(str::to_owned).collect();
            Some(Process { id, arguments })
        })
}

/// The loopback ports in the arguments of processes.
pub fn ports_of(processes: &[Process]) -> Vec<u16> {
    let arguments = processes.iter().flat_map(|process| &process.arguments);
    let mut ports: Vec<u16> = arguments
        .filter(|argument| argument.starts_with("--listen-") || argument.starts_with("--secure-"))
        .filter_map(|argument| argument.rsplit([':', '=']).next()?.parse().ok())
        .filter(|port| *port != 0)
        .collect();
    ports.sort_unstable();
    ports.dedup();
    ports
}

/// What the nodes of a cluster leave in the system, beside processes and the folder.
#[derive(Debug)]
pub struct NodeTraces {
    /// The name of their control groups.
    cgroup: String,
    /// The machine's address in their network.
    address: String,
}

impl NodeTraces {
    /// Those of a running cluster, from the arguments of its processes.
    pub fn of(folder: &Path) -> Self {
        let processes = processes_in(folder);
        let arguments = || processes.iter().flat_map(|process| &process.arguments);
        let cgroup = arguments()
            .filter(|argument| !argument.starts_with('/'))
            .find_map(|argument| argument.strip_suffix("/node-1"));
        let address = arguments().find_map(|argument| argument.strip_prefix("--bind-address="));
        Self {
            cgroup: cgroup.expect("a node's control group").to_owned(),
            address: address.expect("the API server's address").to_owned(),
        }
    }

    /// How many control groups there are, and how many links with the address.
    pub fn count(&self) -> (usize, usize) {
        let hierarchies = fs::read_dir("/sys/fs/cgroup").expect("control groups");
        let paths = hierarchies.flatten().map(|entry| entry.path());
        let root = PathBuf::from("/sys/fs/cgroup");
        let groups = paths
            .chain([root])
            .filter(|path| path.join(&self.cgroup).exists());
        let addresses = std::process::Command::new("ip")
            .args(["-oneline", "address", "show", "to", &self.address])
            .output()
            .expect("a run of ip");
        let links = String::from_utf8_lossy(&addresses.stdout).lines().count();
        (groups.count(), links)
    }

    /// Polls until nothing is left.
    pub fn wait_until_gone(&self) {
        eventually("the removal of all control groups and links", || {
            self.count() == (0, 0)
        });
    }
}

/// The mounts below a folder, as this process sees them.
pub fn mounts_in(folder: &Path) -> Vec<String> {
    let folder = folder.to_str().expect("a temporary folder in UTF-8");
    let mounts = fs::read_to_string("/proc/self/mounts").expect("the list of mounts");
    let below = mounts.lines().filter(|line| line.contains(folder));
    below.map(str::to_owned).collect()
}

/// The test clusters' folders under a temporary folder.
pub fn cluster_folders(parent: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(parent).expect("a temporary folder").flatten();
    entries.map(|entry| entry.path()).collect()
}

/// Polls until a condition holds.
pub fn eventually(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !condition() {
        assert!(Instant::now() < deadline, "{what}: not within {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Polls until a cluster has left no process, no open port and no folder.
pub fn wait_until_gone(folder: &Path, ports: &[u16]) {
    eventually("the end of all processes", || {
        processes_in(folder).is_empty()
    });
    eventually("the removal of the folder", || !folder.exists());
    for port in ports {
        let free = || TcpListener::bind(("127.0.0.1", *port)).is_ok();
        eventually(&format!("port {port} being free"), free);
    }
}
