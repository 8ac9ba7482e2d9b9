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
