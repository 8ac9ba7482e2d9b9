//! An installation in a namespace where only the strictest pods may be.

use std::{io::Write as _, process::Stdio, time::Duration};

use k8s_openapi::api::core::v1::Pod;

use kube::{
    Api,
    api::{ListParams, LogParams},
};

use super::{
    super::ground::{Ground, IMAGE},
    log::Log,
    replica::Replica,
};
use crate::sandbox::{PATIENCE, Ran, Sandbox, eventually};

/// An installation of the test's own: its name is unique in the cluster, and so is its namespace `system`.
pub struct Installation {
    ground: Ground,
}

impl Installation {
    /// A cluster with the definitions, and with a namespace for what is to be installed; `None` if tests that
    /// need nodes are left out.
    pub async fn new(prefix: &str) -> Option<Self> {
        let ground = Ground::new(prefix).await?;
        let strict = ("pod-security.kubernetes.io/enforce", "restricted");
        ground.sandbox.namespace("system", &[strict]).await;
        ground.sandbox.run(&["crd", "install"]).await.succeeded();
        Some(Self { ground })
    }

    /// The cluster with its node.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// The test's corner of it.
    pub fn sandbox(&self) -> &Sandbox {
        &self.ground.sandbox
    }

    /// What the objects are called.
    pub fn name(&self) -> String {
        self.sandbox().name("it")
    }

    /// Runs `deploy` with these arguments and the test's image.
    pub async fn deploy(&self, arguments: &[&str]) -> Ran {
        let (name, namespace) = (self.name(), self.sandbox().name("system"));
        let always = [
            "deploy", "--image", IMAGE, "--name", &name, "-n", &namespace,
        ];
        self.sandbox().run(&[&always, arguments].concat()).await
    }

    /// Runs kubectl, and gives what it printed.
    pub fn kubectl(&self, arguments: &[&str], input: &str) -> String {
        let mut kubectl = self.ground.cluster.kubectl();
        kubectl
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = kubectl.spawn().expect("kubectl starts");
        let mut stdin = child.stdin.take().expect("it is piped");
        stdin.write_all(input.as_bytes()).expect("kubectl reads");
        drop(stdin);
        let ran = child.wait_with_output().expect("kubectl ends");
        assert!(ran.status.success(), "{ran:?}");
        String::from_utf8(ran.stdout).expect("kubectl prints UTF-8")
    }

    /// Waits until so many pods are ready, and there is no other.
    pub async fn ready(&self, count: usize) -> Vec<Replica> {
        let all_ready = |pods: &[&Pod]| pods.len() == count && pods.iter().all(|pod| is_ready(pod));
        eventually(&self.pods(), self.own_pods(), all_ready).await;
        let pods = self.pods().list(&self.own_pods()).await;
        let pods = pods.expect("pods can be listed").items;
        pods.into_iter().map(Replica::new).collect()
    }

    /// What a pod has logged, as soon as this message is in it so often.
    pub async fn log(&self, replica: &Replica, message: &str, times: usize) -> Log {
        let parameters = LogParams::default();
        poll(async || {
            let log = self.pods().logs(&replica.name(), &parameters).await;
            let log = Log::of(&log.expect("the log can be read"));
            let found = log.lines(message).len();
            assert!(found <= times, "{message}: {log:#?}");
            (found == times).then_some(log)
        })
        .await
        .unwrap_or_else(|| panic!("{} doesn't say {message:?}", replica.name()))
    }

    /// The pods of `system`.
    pub fn pods(&self) -> Api<Pod> {
        self.sandbox().api("system")
    }

    /// What selects the pods of the installation.
    pub fn own_pods(&self) -> ListParams {
        ListParams::default().labels(&format!("app.kubernetes.io/instance={}", self.name()))
    }
}

/// Whether a pod is ready, and stays.
pub fn is_ready(pod: &Pod) -> bool {
    let conditions = pod
        .status
        .as_ref()
        .and_then(|status| status.conditions.as_ref());
    let mut conditions = conditions.into_iter().flatten();
    pod.metadata.deletion_timestamp.is_none()
        && conditions.any(|condition| condition.type_ == "Ready" && condition.status == "True")
}

/// Asks until there is an answer: for what can't be watched. None if it doesn't come.
pub async fn poll<T>(mut ask: impl AsyncFnMut() -> Option<T>) -> Option<T> {
    let asking = async {
        loop {
            if let Some(answer) = ask().await {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, asking).await.ok()
}
