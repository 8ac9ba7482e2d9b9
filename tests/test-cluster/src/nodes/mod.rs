//! Real nodes: kubelet, containerd and kube-proxy, each node in namespaces of its own.

mod addresses;
mod cgroups;
mod ip;
mod machine;
mod network;
mod packages;
mod programs;
mod settings;

pub(crate) use addresses::Addresses;
pub(crate) use cgroups::name as cgroup_name;
pub(crate) use ip::Tool;
pub(crate) use machine::{LARGEST, Machine, NAMES};
pub(crate) use network::Network;
pub(crate) use packages::require;
