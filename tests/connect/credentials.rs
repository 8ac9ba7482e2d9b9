//! Every kind of credentials, and acting as somebody else.

use kubectl_copyrator::cluster::{ConnectOptions, Impersonation, connect};
use secrecy::SecretString;
use test_cluster::TestCluster;

use super::identity::{admin, extra, identity, name, server, trust, written};

fn token() -> SecretString {
    SecretString::from(TestCluster::shared().token())
}

#[tokio::test]
async fn a_kubeconfigs_client_certificate() {
    let cluster = TestCluster::shared();
    let kubeconfig = cluster.user("connect-jane", &["team"]).expect("a new user");
    let options = ConnectOptions {
        kubeconfig: Some(kubeconfig),
        ..ConnectOptions::default()
    };
    let connection = connect(&options).await.expect("a connection");
    assert_eq!(connection.server, cluster.url());
    assert_eq!(connection.default_namespace, "default");
    let user = identity(&options).await;
    assert_eq!(user.username.as_deref(), Some("connect-jane"));
    assert!(user.groups.unwrap_or_default().contains(&"team".to_owned()));
}

#[tokio::test]
async fn a_server_an_authority_and_a_token_by_flags_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = ConnectOptions {
        certificate_authority: Some(TestCluster::shared().ca_path()),
        token: Some(token()),
        ..server(&folder)
    };
    let user = identity(&options).await;
    assert!(
        user.groups
            .unwrap_or_default()
            .contains(&"system:masters".to_owned())
    );
}

#[tokio::test]
async fn a_client_certificate_by_flags() {
    let cluster = TestCluster::shared();
    let kubeconfig = written(&trust(), "");
    let options = ConnectOptions {
        client_certificate: Some(cluster.client_certificate_path()),
        client_key: Some(cluster.client_key_path()),
        ..kubeconfig.options.clone()
    };
    assert_eq!(name(&options).await, name(&admin()).await);
}

#[tokio::test]
async fn a_token_by_flag_wins_over_the_kubeconfigs_plugin() {
    let kubeconfig = written(
        &trust(),
        "exec: {apiVersion: client.authentication.k8s.io/v1, command: no-such-plugin}",
    );
    let options = ConnectOptions {
        token: Some(SecretString::from(TestCluster::shared().stranger_token())),
        ..kubeconfig.options.clone()
    };
    assert_eq!(name(&options).await, "token-stranger");
}

#[tokio::test]
async fn not_verifying_drops_an_authority_that_is_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = ConnectOptions {
        insecure_skip_tls_verify: Some(true),
        token: Some(token()),
        ..server(&folder)
    };
    assert_ne!(name(&options).await, "system:anonymous");
    let wrong = format!(
        "certificate-authority: '{}'",
        TestCluster::shared().client_certificate_path().display()
    );
    let kubeconfig = written(&wrong, "");
    let options = ConnectOptions {
        insecure_skip_tls_verify: Some(true),
        token: Some(token()),
        ..kubeconfig.options.clone()
    };
    assert_ne!(name(&options).await, "system:anonymous");
}

#[tokio::test]
async fn the_servers_other_names() {
    let named = |name: &str| ConnectOptions {
        tls_server_name: Some(name.to_owned()),
        ..admin()
    };
    assert_eq!(name(&named("localhost")).await, name(&admin()).await);
    assert_eq!(
        name(&named("kubernetes.default.svc")).await,
        name(&admin()).await
    );
}

#[tokio::test]
async fn acting_as_somebody_else() {
    let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    let options = ConnectOptions {
        impersonate: Impersonation {
            user: Some("jane".to_owned()),
            uid: Some("42".to_owned()),
            groups: vec!["a".to_owned(), "b".to_owned()],
            extra: vec![
                pair("example.com/scope", "one"),
                pair("example.com/scope", "two"),
            ],
        },
        ..admin()
    };
    let user = identity(&options).await;
    assert_eq!(user.username.as_deref(), Some("jane"));
    assert_eq!(user.uid.as_deref(), Some("42"));
    let groups = user.groups.clone().unwrap_or_default();
    assert!(
        groups.contains(&"a".to_owned()) && groups.contains(&"b".to_owned()),
        "{groups:?}"
    );
    let values = vec!["one".to_owned(), "two".to_owned()];
    assert_eq!(extra(&user).get("example.com/scope"), Some(&values));
}
