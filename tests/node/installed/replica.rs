//! A pod of a controller.

use std::{fs, path::Path};

use k8s_openapi::api::core::v1::Pod;
use kube::ResourceExt;
use rustix::process::{Pid, Signal, kill_process};

use super::{answer::Answer, installation::poll};

/// A pod of a controller.
#[derive(Debug)]
pub struct Replica {
    pod: Pod,
}

impl Replica {
    /// This pod, which has an address.
    pub fn new(pod: Pod) -> Self {
        Self { pod }
    }

    /// The pod's name.
    pub fn name(&self) -> String {
        self.pod.name_any()
    }

    /// The pod's version when it was found.
    pub fn version(&self) -> String {
        self.pod.resource_version().expect("a pod has a version")
    }

    /// Whether a Lease's holder is a process of this pod.
    pub fn is(&self, holder: &str) -> bool {
        holder.split_once('_').map(|(host, _)| host) == Some(&self.name())
    }

    /// Asks it over HTTP.
    pub async fn asks(&self, path: &str) -> Answer {
        let status = self.pod.status.as_ref();
        let address = status.and_then(|status| status.pod_ip.as_deref());
        Answer::of(address.expect("the pod has an address"), path).await
    }

    /// Whether it says that it leads.
    pub async fn leads(&self) -> bool {
        self.asks("/metrics").await.has("copyrator_leader 1")
    }

    /// Asks for the metrics until this holds of them, and gives them.
    pub async fn measures(&self, holds: impl Fn(&Answer) -> bool) -> Answer {
        poll(async || Some(self.asks("/metrics").await).filter(&holds))
            .await
            .expect("it can be measured some time")
    }

    /// Kills its process on the spot, so that it can do nothing more.
    pub fn kill(&self) {
        let uid = self.pod.uid().expect("a pod has a uid");
        let mut killed = 0;
        for process in fs::read_dir("/proc")
            .expect("processes can be listed")
            .flatten()
        {
            let folder = process.path();
            let id = process
                .file_name()
                .to_str()
                .and_then(|name| name.parse().ok());
            let Some(id) = id.filter(|_| is_ours(&folder, &uid)) else {
                continue;
            };
            let pid = Pid::from_raw(id).expect("a process has an id");
            kill_process(pid, Signal::KILL).expect("it can be killed");
            killed += 1;
        }
        assert_eq!(killed, 1, "the processes of {uid}");
    }
}

/// Whether a process is the program in the pod with this uid.
fn is_ours(folder: &Path, uid: &str) -> bool {
    let groups = fs::read_to_string(folder.join("cgroup")).unwrap_or_default();
    let command = fs::read(folder.join("cmdline")).unwrap_or_default();
    groups.contains(uid) && command.starts_with(b"/kubectl-copyrator\0")
}
