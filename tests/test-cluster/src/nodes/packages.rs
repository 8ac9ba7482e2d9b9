//! The programs that nodes are made of and Kubernetes doesn't bring: finds them, and installs what
//! is missing where that is possible.

use std::io::empty;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::process::geteuid;

use super::fleet::LARGEST;
use super::programs::{PATH, run};
use crate::error::Error;
use crate::output::Step;

/// Programs, and the Debian packages that they are in.
const PROGRAMS: [(&str, &str); 10] = [
    ("containerd", "containerd"),
    ("ctr", "containerd"),
    ("containerd-shim-runc-v2", "containerd"),
    ("runc", "runc"),
    ("iptables", "iptables"),
    ("ip", "iproute2"),
    ("busybox", "busybox"),
    ("unshare", "util-linux"),
    ("nsenter", "util-linux"),
    ("mount", "mount"),
];

const PLUGINS: [&str; 4] = ["host-local", "loopback", "portmap", "ptp"];
const PLUGINS_PACKAGE: &str = "containernetworking-plugins";

/// Where distributions and projects have CNI's plugins.
const PLUGIN_FOLDERS: [&str; 3] = ["/usr/lib/cni", "/opt/cni/bin", "/usr/libexec/cni"];

/// What a machine lacks.
#[derive(Debug, Default, PartialEq, Eq)]
struct Missing {
    programs: Vec<&'static str>,
    packages: Vec<&'static str>,
}

/// Makes sure that so many nodes can be started here, and gives the folder of CNI's plugins; `None`
/// if there are to be none.
pub(crate) fn require(nodes: u8) -> Result<Option<PathBuf>, Error> {
    if nodes == 0 {
        return Ok(None);
    }
    if nodes > LARGEST {
        return Err(Error::TooManyNodes {
            wanted: nodes,
            most: LARGEST,
        });
    }
    if !geteuid().is_root() {
        return Err(Error::NodesNeedRoot);
    }
    let missing = missing();
    if !missing.programs.is_empty() {
        install(missing)?;
    }
    plugin_folder()
        .map(Some)
        .ok_or_else(|| Missing::plugins().into())
}

/// The path of a program of the machine's.
pub(crate) fn program(name: &str) -> Option<PathBuf> {
    let folders = PATH.split(':').map(Path::new);
    folders
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())
}

fn plugin_folder() -> Option<PathBuf> {
    let complete = |folder: &&Path| PLUGINS.iter().all(|name| folder.join(name).is_file());
    let mut folders = PLUGIN_FOLDERS.iter().map(Path::new);
    folders.find(complete).map(Path::to_owned)
}

fn missing() -> Missing {
    let mut missing = match plugin_folder() {
        Some(_) => Missing::default(),
        None => Missing::plugins(),
    };
    for (name, package) in PROGRAMS {
        if program(name).is_none() {
            missing.add(name, package);
        }
    }
    missing
}

impl Missing {
    fn plugins() -> Self {
        Self {
            programs: vec!["CNI's plugins"],
            packages: vec![PLUGINS_PACKAGE],
        }
    }

    fn add(&mut self, program: &'static str, package: &'static str) {
        self.programs.push(program);
        if !self.packages.contains(&package) {
            self.packages.push(package);
        }
    }
}

impl From<Missing> for Error {
    fn from(missing: Missing) -> Self {
        Self::ProgramsMissing {
            programs: missing.programs.join(", "),
            packages: missing.packages.join(" "),
        }
    }
}

/// Installs packages with apt-get. It removes none: another containerd may be in the way of
/// Debian's, and then it's for people to decide.
fn install(missing: Missing) -> Result<(), Error> {
    if program("apt-get").is_none() {
        return Err(missing.into());
    }
    let packages = missing.packages.join(" ");
    let step = Step::begin(format!(
        "installing what nodes need with apt-get: {packages}"
    ));
    // A fresh machine has no lists of packages, an old one lists of packages that are gone.
    let install = [&["install"], &missing.packages[..]].concat();
    apt_get(&install).or_else(|_| {
        apt_get(&["update"])?;
        apt_get(&install)
    })?;
    step.done();
    Ok(())
}

fn apt_get(arguments: &[&str]) -> Result<(), Error> {
    let mut command = Command::new("apt-get");
    command
        .args(["-y", "-q", "--no-install-recommends", "--no-remove"])
        // Another test run may be at it.
        .args(["-o", "DPkg::Lock::Timeout=300"])
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive");
    run(&mut command, empty()).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_named_once() {
        let mut missing = Missing::plugins();
        missing.add("containerd", "containerd");
        missing.add("ctr", "containerd");
        let message = Error::from(missing).to_string();
        assert!(
            message.contains("need CNI's plugins, containerd, ctr, which"),
            "{message}"
        );
        assert!(
            message.contains("packages containernetworking-plugins containerd)"),
            "{message}"
        );
        assert!(message.contains("TEST_CLUSTER_NODES=0"), "{message}");
    }

    #[test]
    fn programs_are_found_where_they_are() {
        assert!(program("sh").is_some_and(|path| path.ends_with("sh")));
        assert_eq!(program("no-such-program"), None);
    }
}
