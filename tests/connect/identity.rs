//! Asks the API server who it takes us for, and writes the kubeconfigs to ask with.

use std::{collections::BTreeMap, fs, path::PathBuf};

use k8s_openapi::api::authentication::v1::{SelfSubjectReview, UserInfo};
use kube::{Api, api::PostParams};
use kubectl_copyrator::cluster::{ConnectOptions, connect};
use tempfile::TempDir;
use test_cluster::TestCluster;

/// Who the API server takes us for.
pub async fn identity(options: &ConnectOptions) -> UserInfo {
    match connect(options).await {
        Ok(connection) => review(connection.client).await,
        Err(error) => panic!("{error}"),
    }
}

async fn review(client: kube::Client) -> UserInfo {
    let reviews: Api<SelfSubjectReview> = Api::all(client);
    let review = SelfSubjectReview::default();
    let review = reviews.create(&PostParams::default(), &review).await;
    let status = review.expect("a review of ourselves").status;
    status.and_then(|status| status.user_info).expect("a user")
}

/// The user's name.
pub async fn name(options: &ConnectOptions) -> String {
    identity(options).await.username.unwrap_or_default()
}

/// The extras of a user.
pub fn extra(user: &UserInfo) -> BTreeMap<String, Vec<String>> {
    user.extra.clone().unwrap_or_default()
}

/// A folder with a kubeconfig in it.
pub struct Written {
    pub folder: TempDir,
    pub options: ConnectOptions,
}

/// A kubeconfig for the shared cluster, with these fields of the cluster and of the user.
pub fn written(cluster: &str, user: &str) -> Written {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = format!(
        "current-context: only
contexts: [{{name: only, context: {{cluster: only, user: only}}}}]
clusters: [{{name: only, cluster: {{server: '{}', {cluster}}}}}]
users: [{{name: only, user: {{{user}}}}}]
",
        TestCluster::shared().url()
    );
    let path = folder.path().join("config");
    fs::write(&path, text).expect("the kubeconfig is written");
    let options = ConnectOptions {
        kubeconfig: Some(path),
        ..ConnectOptions::default()
    };
    Written { folder, options }
}

/// The field that trusts the shared cluster.
pub fn trust() -> String {
    let path: PathBuf = TestCluster::shared().ca_path();
    format!("certificate-authority: '{}'", path.display())
}

/// The administrator, by the kubeconfig.
pub fn admin() -> ConnectOptions {
    ConnectOptions {
        kubeconfig: Some(TestCluster::shared().kubeconfig().to_owned()),
        ..ConnectOptions::default()
    }
}

/// Only the server's address; the developer's own kubeconfig stays out of it.
pub fn server(folder: &TempDir) -> ConnectOptions {
    let empty = folder.path().join("empty");
    fs::write(&empty, "").expect("an empty kubeconfig is written");
    ConnectOptions {
        kubeconfig: Some(empty),
        server: Some(TestCluster::shared().url()),
        ..ConnectOptions::default()
    }
}
