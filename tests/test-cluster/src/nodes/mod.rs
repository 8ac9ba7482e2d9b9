//! Real nodes: kubelet, containerd and kube-proxy, each node in namespaces of its own.

mod addresses;
mod cgroups;
mod containerd;
mod fleet;
mod machine;
mod network;
mod packages;
mod programs;
mod settings;

pub(crate) use cgroups::name as cgroup_name;
pub(crate) use containerd::Containerd;
pub(crate) use fleet::{Fleet, LARGEST, NAMES};
pub(crate) use packages::{program, require};
pub(crate) use programs::{PATH, run};
pub(crate) use settings::SANDBOX_IMAGE;
