//! A test's corner of a cluster: namespaces and rules under a prefix of its own.

use std::path::{Path, PathBuf};

use kube::{
    Api, Client, Config,
    config::{KubeConfigOptions, Kubeconfig},
};
use test_cluster::TestCluster;
use tokio::sync::{Mutex, MutexGuard, OnceCell};

use super::{Invocation, Ran};

/// A test's corner: namespaces whose names begin with the test's own prefix.
pub struct Sandbox {
    /// Full rights on the cluster.
    pub client: Client,
    prefix: String,
    kubeconfig: PathBuf,
    _turn: Option<MutexGuard<'static, ()>>,
}

/// Tests that sync all the rules of a cluster take turns on a cluster of their own.
static TURNS: Mutex<()> = Mutex::const_new(());

fn cluster_of_turns() -> &'static TestCluster {
    static CLUSTER: std::sync::OnceLock<TestCluster> = std::sync::OnceLock::new();
    CLUSTER.get_or_init(|| TestCluster::start().expect("a control plane of their own starts"))
}

impl Sandbox {
    /// A corner of the shared cluster; `prefix` is unique among the tests.
    pub async fn new(prefix: &str) -> Self {
        Self::on(TestCluster::shared(), prefix, None).await
    }

    /// A corner of the shared cluster, which has the definition of rules.
    pub async fn ruled(prefix: &str) -> Self {
        static INSTALLED: OnceCell<()> = OnceCell::const_new();
        let sandbox = Self::new(prefix).await;
        let install = async || {
            sandbox.run(&["crd", "install"]).await.succeeded();
        };
        INSTALLED.get_or_init(install).await;
        sandbox
    }

    /// A corner of a cluster on which no other test runs meanwhile, with the rules of no other test.
    pub async fn alone(prefix: &str) -> Self {
        let turn = TURNS.lock().await;
        let sandbox = Self::on(cluster_of_turns(), prefix, Some(turn)).await;
        sandbox
            .run(&["crd", "install", "--force"])
            .await
            .succeeded();
        sandbox.delete_all_rules().await;
        // What the tests before left behind belongs to no rule any more.
        sandbox.run(&["prune", "--all"]).await.succeeded();
        sandbox
    }

    /// A corner of a cluster that the test started itself.
    pub async fn in_cluster(cluster: &TestCluster, prefix: &str) -> Self {
        Self::on(cluster, prefix, None).await
    }

    async fn on(
        cluster: &TestCluster,
        prefix: &str,
        turn: Option<MutexGuard<'static, ()>>,
    ) -> Self {
        let kubeconfig = cluster.kubeconfig().to_owned();
        let client = client(&kubeconfig).await;
        Self {
            client,
            prefix: prefix.to_owned(),
            kubeconfig,
            _turn: turn,
        }
    }

    /// The full name of one of the test's namespaces or rules.
    pub fn name(&self, name: &str) -> String {
        format!("{}-{name}", self.prefix)
    }

    /// The program with these arguments, against the test's cluster.
    pub fn program(&self, arguments: &[&str]) -> Invocation {
        Invocation::new(&self.kubeconfig, arguments)
    }

    /// Runs the program with these arguments.
    pub async fn run(&self, arguments: &[&str]) -> Ran {
        self.program(arguments).run().await
    }

    /// Syncs a rule given on standard input.
    pub async fn sync(&self, rule: &str) -> Ran {
        self.program(&["sync", "-f", "-"]).stdin(rule).run().await
    }

    /// A client of another user, and the kubeconfig that makes it.
    pub fn kubeconfig(&self) -> &Path {
        &self.kubeconfig
    }

    /// An API of the namespace with this short name.
    pub fn api<K>(&self, namespace: &str) -> Api<K>
    where
        K: kube::Resource<Scope = k8s_openapi::NamespaceResourceScope, DynamicType = ()>,
    {
        Api::namespaced(self.client.clone(), &self.name(namespace))
    }

    /// A rule that copies Secrets named `regcred` from `source` to every namespace of the test
    /// whose name begins with `team-`.
    pub fn rule(&self) -> String {
        self.rule_with("Secret", "names: [regcred]", "")
    }

    /// A rule with these fields of the source, and more fields of the target.
    pub fn rule_with(&self, resource: &str, source: &str, target: &str) -> String {
        let (name, namespace, teams) =
            (self.name("rule"), self.name("source"), self.name("team-*"));
        format!(
            "apiVersion: copyrator.dev/v1alpha1\n\
             kind: CopyratorRule\n\
             metadata: {{name: {name}}}\n\
             spec:\n\
             \x20 resource: {resource}\n\
             \x20 source: {{namespaces: [{namespace}], {source}}}\n\
             \x20 target: {{namespaces: [\"{teams}\"]{separator}{target}}}\n",
            separator = if target.is_empty() { "" } else { ", " },
        )
    }
}

async fn client(kubeconfig: &Path) -> Client {
    let kubeconfig =
        Kubeconfig::read_from(kubeconfig).expect("the test cluster's kubeconfig is valid");
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await;
    Client::try_from(config.expect("the kubeconfig makes a configuration")).expect("a client")
}
