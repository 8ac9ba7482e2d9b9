//! The public handle of a running cluster.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use crate::components::KUBECTL;
use crate::control_plane::ControlPlane;
use crate::credentials::{Credentials, KUBECONFIG};
use crate::error::{Error, report};
use crate::images::{Image, busybox};
use crate::nodes::Containerd;
use crate::nodes_for_tests::nodes_for_tests;
use crate::preparation::Preparation;

/// What kind of cluster to start.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether kube-controller-manager runs: it deletes namespaces and collects garbage, and makes
    /// service accounts. On by default.
    pub controllers: bool,
    /// How many real nodes the cluster has, with kube-scheduler; up to 8. They need root. None by
    /// default.
    pub nodes: u8,
    /// The cluster's folder, which must not exist, be empty, or be a crashed cluster's. It is
    /// removed when the cluster stops. By default a new one under the temporary folder.
    pub dir: Option<PathBuf>,
    /// More arguments for kube-apiserver, each as `--flag=value`; they win over ours.
    pub api_server_args: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            controllers: true,
            nodes: 0,
            dir: None,
            api_server_args: Vec::new(),
        }
    }
}

/// A running cluster. It stops when this is dropped, and at the latest when the process ends.
pub struct TestCluster {
    assets: PathBuf,
    folder: PathBuf,
    kubeconfig: PathBuf,
    credentials: Credentials,
    plane: Mutex<ControlPlane>,
}

impl TestCluster {
    /// Starts a cluster with the default options, after building what it is made of if need be.
    pub fn start() -> Result<Self, Error> {
        Self::start_with(Options::default())
    }

    /// Starts a cluster, after building what it is made of if need be.
    pub fn start_with(options: Options) -> Result<Self, Error> {
        let nodes = options.nodes;
        let Preparation {
            parts,
            credentials,
            processes,
        } = Preparation::of(options)?;
        let (assets, folder) = (parts.assets.clone(), parts.directory.path().to_owned());
        let plane = ControlPlane::start(parts, processes)?;
        let cluster = Self {
            assets,
            kubeconfig: folder.join(KUBECONFIG),
            folder,
            credentials,
            plane: Mutex::new(plane),
        };
        if nodes > 0 {
            cluster.load_image(&busybox()?)?;
        }
        Ok(cluster)
    }

    /// The cluster that all tests of this process share, started at the first call. Nobody drops
    /// it, and nobody has to: it goes away with the process.
    ///
    /// # Panics
    ///
    /// If the cluster can't be started, with the reason.
    pub fn shared() -> &'static Self {
        // A failure is kept too: each test would try again, perhaps for minutes.
        static SHARED: OnceLock<Result<TestCluster, String>> = OnceLock::new();
        let shared = SHARED.get_or_init(|| Self::start().map_err(|error| report(&error)));
        shared.as_ref().unwrap_or_else(|reason| panic!("{reason}"))
    }

    /// The cluster with nodes that all tests of this process share, started at the first call; or
    /// `None`, with a line on standard error that names the test, if `TEST_CLUSTER_NODES` is 0.
    /// Another number there is how many nodes it has, instead of one.
    ///
    /// # Panics
    ///
    /// If the cluster can't be started, with the reason.
    pub fn shared_with_nodes() -> Option<&'static Self> {
        static SHARED: OnceLock<Result<TestCluster, String>> = OnceLock::new();
        let options = Options {
            nodes: nodes_for_tests()?,
            ..Options::default()
        };
        let start = || Self::start_with(options).map_err(|error| report(&error));
        let shared = SHARED.get_or_init(start).as_ref();
        Some(shared.unwrap_or_else(|reason| panic!("{reason}")))
    }

    /// The kubeconfig of the administrator: a client-certificate user in `system:masters`.
    pub fn kubeconfig(&self) -> &Path {
        &self.kubeconfig
    }

    /// The text of [`Self::kubeconfig`], which names no files.
    pub fn kubeconfig_text(&self) -> String {
        self.credentials.admin_kubeconfig()
    }

    /// Writes a kubeconfig for a new user, who shows a client certificate and has no rights but
    /// those of the groups, of which there may be two. A second call with the same name replaces
    /// the file.
    pub fn user(&self, name: &str, groups: &[&str]) -> Result<PathBuf, Error> {
        self.credentials.write_user(&self.folder, name, groups)
    }

    /// A bearer token of a user in `system:masters`.
    pub fn token(&self) -> &str {
        &self.credentials.admin_token
    }

    /// A bearer token of the user `token-stranger`, who has no rights.
    pub fn stranger_token(&self) -> &str {
        &self.credentials.stranger_token
    }

    /// Where the API server is, as in `https://127.0.0.1:40123`.
    pub fn url(&self) -> String {
        self.credentials.url().to_owned()
    }

    /// The certificate of the authority that the API server's certificate is from.
    pub fn ca_pem(&self) -> &str {
        self.credentials.ca()
    }

    /// The file that holds [`Self::ca_pem`].
    pub fn ca_path(&self) -> PathBuf {
        self.folder.join("ca.crt")
    }

    /// The file that holds the administrator's client certificate.
    pub fn client_certificate_path(&self) -> PathBuf {
        self.folder.join("admin.crt")
    }

    /// The file that holds the key of the administrator's client certificate.
    pub fn client_key_path(&self) -> PathBuf {
        self.folder.join("admin.key")
    }

    /// The cluster's folder, with etcd's data and the logs.
    pub fn dir(&self) -> &Path {
        &self.folder
    }

    /// The path of a program that belongs to the cluster's version, such as `kubectl`.
    pub fn binary(&self, name: &str) -> PathBuf {
        self.assets.join(name)
    }

    /// The cluster's kubectl as its administrator. What it caches goes into the cluster's folder.
    pub fn kubectl(&self) -> Command {
        let mut command = Command::new(self.binary(KUBECTL));
        command
            .env("KUBECONFIG", &self.kubeconfig)
            .env("KUBECACHEDIR", self.folder.join("cache"));
        command
    }

    /// The names of the nodes.
    pub fn nodes(&self) -> Vec<&'static str> {
        let nodes = self.plane().nodes();
        nodes.into_iter().map(|(name, _)| name).collect()
    }

    /// Loads an image into every node. When this returns, pods can run it.
    pub fn load_image(&self, image: &Image) -> Result<(), Error> {
        let archive = image.archive()?;
        let nodes = self.plane().nodes();
        nodes
            .into_iter()
            .try_for_each(|(_, process)| Containerd { process }.load(image.name(), &archive[..]))
    }

    /// The process ids of the components that run.
    pub fn process_ids(&self) -> Vec<u32> {
        self.plane().process_ids()
    }

    /// An error if a component ended by itself.
    pub fn check(&self) -> Result<(), Error> {
        self.plane().check()
    }

    /// Kills the API server with SIGKILL. Its clients see connections break, then be refused.
    pub fn kill_api_server(&self) -> Result<(), Error> {
        self.plane().kill_api_server()
    }

    /// Starts the API server after [`Self::kill_api_server`], on the same port and the same data,
    /// and waits until it serves.
    pub fn start_api_server(&self) -> Result<(), Error> {
        self.plane().start_api_server()
    }

    /// Kills etcd with SIGKILL. The API server goes on without it, and can answer little.
    pub fn kill_etcd(&self) -> Result<(), Error> {
        self.plane().kill_etcd()
    }

    /// Starts etcd after [`Self::kill_etcd`] on the same data, and waits until the API server serves.
    pub fn start_etcd(&self) -> Result<(), Error> {
        let mut plane = self.plane();
        plane.start_etcd()?;
        plane.start_api_server()
    }

    /// Stops the cluster and removes its folder; dropping it does the same but can't tell.
    pub fn stop(self) -> Result<(), Error> {
        self.plane().stop()
    }

    /// A test that panicked while it held the control plane has not broken it.
    fn plane(&self) -> MutexGuard<'_, ControlPlane> {
        self.plane.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for TestCluster {
    /// Without the credentials.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("TestCluster")
            .field("url", &self.credentials.url())
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}
