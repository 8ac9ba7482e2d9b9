//! One node: its folder, and the command that boots it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::network::Network;
use super::settings::Settings;
use super::{cgroup_name, cgroups};
use crate::credentials::Credentials;
use crate::error::Error;

const BOOT: &str = include_str!("boot.sh");

/// A node in a cluster's folder.
#[derive(Debug)]
pub(crate) struct Machine<'a> {
    pub(crate) name: &'static str,
    /// Counted from 0.
    pub(crate) number: u8,
    /// The cluster's folder.
    pub(crate) cluster: &'a Path,
    pub(crate) network: &'a Network,
}

impl Machine<'_> {
    /// Writes all that the node reads, and makes its control groups.
    pub(crate) fn prepare(&self, plugins: &Path, credentials: &Credentials) -> Result<(), Error> {
        let cgroup = self.cgroup();
        let addresses = self.network.addresses;
        let settings = Settings {
            name: self.name,
            folder: &self.folder(),
            address: addresses.node(self.number),
            pods: addresses.pods(self.number),
            all_pods: addresses.all_pods(),
            cgroup: &cgroup,
            ca: &self.cluster.join("ca.crt"),
            plugins,
        };
        self.write("boot.sh", BOOT)?;
        self.write("containerd.toml", &settings.containerd())?;
        self.write("cni/network.conflist", &settings.cni())?;
        self.write("kubelet.yaml", &settings.kubelet())?;
        self.write("kube-proxy.yaml", &settings.kube_proxy())?;
        let user = format!("system:node:{}", self.name);
        let kubelet = credentials.user_kubeconfig(&user, &["system:nodes"])?;
        self.write("kubelet.kubeconfig", &kubelet)?;
        let proxy = credentials.user_kubeconfig("system:kube-proxy", &[])?;
        self.write("kube-proxy.kubeconfig", &proxy)?;
        cgroups::create(&cgroup_name(self.cluster), self.name)
    }

    /// The command that boots the node.
    pub(crate) fn boot(&self, binaries: &Path) -> Command {
        let namespace = self.network.namespace(self.name);
        let folder = self.folder();
        // `ip netns exec` would hide the control groups.
        let mut command = Command::new("nsenter");
        command
            .arg(format!("--net={}", namespace.display()))
            .args(["unshare", "--mount", "--pid", "--fork", "--kill-child"])
            .args(["--mount-proc", "sh"])
            .arg(folder.join("boot.sh"))
            .args([&folder, binaries])
            .args([self.cgroup(), self.name.to_owned()])
            .arg(self.network.addresses.node(self.number).to_string());
        command
    }

    fn folder(&self) -> PathBuf {
        self.cluster.join(self.name)
    }

    fn cgroup(&self) -> String {
        format!("{}/{}", cgroup_name(self.cluster), self.name)
    }

    fn write(&self, name: &str, text: &str) -> Result<(), Error> {
        let path = self.folder().join(name);
        let parent = path.parent().expect("it is in the node's folder");
        fs::create_dir_all(parent).map_err(Error::file("create", parent))?;
        fs::write(&path, text).map_err(Error::file("write", &path))
    }
}
