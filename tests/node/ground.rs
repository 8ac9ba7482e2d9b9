//! A cluster with a node whose pods can run the program.

use std::{path::Path, sync::OnceLock};

use k8s_openapi::api::core::v1::ServiceAccount;
use test_cluster::{Image, TestCluster};

use super::pods::{seen, wait_for};
use crate::sandbox::Sandbox;

/// The image of the program, whose user is 65532.
pub const IMAGE: &str = "localhost/kubectl-copyrator:test";

/// Where the image has the program.
const PROGRAM: &str = "/kubectl-copyrator";

/// Where Debian, and the image, have the authorities that are trusted.
const AUTHORITIES: &str = "/etc/ssl/certs/ca-certificates.crt";

/// A test's corner of the cluster with a node, whose containerd has the program's image.
pub struct Ground {
    /// The cluster.
    pub cluster: &'static TestCluster,
    /// The corner.
    pub sandbox: Sandbox,
}

impl Ground {
    /// A corner with a namespace `shop`; `prefix` is unique among the tests. `None`, which a line on standard
    /// error tells, if tests that need nodes are left out.
    pub async fn new(prefix: &str) -> Option<Self> {
        static LOADED: OnceLock<()> = OnceLock::new();
        let cluster = TestCluster::shared_with_nodes()?;
        LOADED.get_or_init(|| {
            cluster
                .load_image(&image())
                .expect("the nodes take the image");
        });
        let sandbox = Sandbox::in_cluster(cluster, prefix).await;
        sandbox.namespaces(&["shop"]).await;
        // No pod is admitted before its service account is there.
        wait_for::<ServiceAccount>(&sandbox.api("shop"), "default", seen).await;
        Some(Self { cluster, sandbox })
    }
}

/// The program as it was built for these tests, with the libraries that it needs and nothing else.
fn image() -> Image {
    let program = Path::new(env!("CARGO_BIN_EXE_kubectl-copyrator"));
    Image::new(IMAGE)
        .program(PROGRAM, program)
        .expect("the program is there, with its libraries")
        // As in the image of deploy/Dockerfile: providers are asked over TLS.
        .file(AUTHORITIES, Path::new(AUTHORITIES))
        .expect("the authorities are there that the system trusts")
        .entrypoint(&[PROGRAM])
        .user("65532:65532")
}
