//! A real Kubernetes control plane for tests, on one Linux machine and without containers; and real
//! nodes for those tests that need pods, on the same machine, if it has root.
//!
//! etcd, kube-apiserver and kube-controller-manager are built once from the Go modules that are
//! pinned under `go/`, kept in the user's cache, and started on loopback ports by each
//! [`TestCluster`]. A cluster never outlives the process that started it, however that process
//! ends; `lifeline` says how.
//!
//! ```no_run
//! let cluster = test_cluster::TestCluster::start()?;
//! cluster.kubectl().args(["get", "namespaces"]).status()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod api_probe;
mod arguments;
mod assets;
mod cache;
mod certificates;
mod cli;
mod cluster;
mod components;
mod control_plane;
mod credentials;
mod digest;
mod directory;
mod error;
mod go_build;
mod helm;
mod images;
mod kubeconfig;
mod leftovers;
mod lifeline;
mod nodes;
mod nodes_for_tests;
mod output;
mod ports;
mod preparation;
mod process;
mod up;

/// An image that every node has: busybox, under all its names, as the user 65532.
pub const BUSYBOX_IMAGE: &str = "docker.io/library/busybox:test-cluster";

pub use assets::{ASSETS_VARIABLE, build};
pub use cli::run;
pub use cluster::{Options, TestCluster};
pub use error::{Error, report};
pub use helm::helm;
pub use images::Image;
pub use nodes_for_tests::{NODES_VARIABLE, nodes_for_tests};
