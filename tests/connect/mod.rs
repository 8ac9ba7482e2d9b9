//! Who the API server sees, and what is said when there is no way to it.

mod failures;
mod identity;
mod plugin;
mod proxy;

use k8s_openapi::api::authentication::v1::{SelfSubjectReview, UserInfo};
use kube::{Api, api::PostParams};
use kubectl_copyrator::cluster::{ConnectOptions, connect};
use test_cluster::TestCluster;

/// Connects and asks the API server who we are.
async fn who_am_i(options: &ConnectOptions) -> UserInfo {
    let connection = connect(options).await.expect("a connection");
    let reviews: Api<SelfSubjectReview> = Api::all(connection.client);
    let review = reviews
        .create(&PostParams::default(), &SelfSubjectReview::default())
        .await
        .expect("the API server says who we are");
    let user = review.status.and_then(|status| status.user_info);
    user.expect("a review names the user")
}

async fn name(options: &ConnectOptions) -> String {
    who_am_i(options).await.username.unwrap_or_default()
}

/// The shared cluster's address and authority, without any user.
fn stranger(cluster: &TestCluster) -> ConnectOptions {
    let nobody = cluster.dir().join("nobody");
    std::fs::write(&nobody, "").expect("an empty kubeconfig is written");
    ConnectOptions {
        kubeconfig: Some(nobody),
        server: Some(cluster.url()),
        certificate_authority: Some(cluster.ca_path()),
        ..ConnectOptions::default()
    }
}

/// A kubeconfig for the cluster whose only user is this YAML.
fn kubeconfig_with_user(cluster: &TestCluster, user: &str) -> String {
    format!(
        "current-context: c\n\
         contexts: [{{name: c, context: {{cluster: c, user: u}}}}]\n\
         clusters: [{{name: c, cluster: {{server: '{}', certificate-authority: '{}'}}}}]\n\
         users: [{{name: u, user: {user}}}]\n",
        cluster.url(),
        cluster.ca_path().display()
    )
}
