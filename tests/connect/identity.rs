//! Each way to say who one is, as the API server sees it.

use std::collections::BTreeMap;

use kubectl_copyrator::cluster::{ConnectOptions, Impersonation};
use secrecy::SecretString;
use test_cluster::TestCluster;

use super::{kubeconfig_with_user, name, stranger, who_am_i};

#[tokio::test]
async fn a_kubeconfigs_client_certificate() {
    let cluster = TestCluster::shared();
    let options = ConnectOptions {
        kubeconfig: Some(cluster.user("cert-user", &["team-a"]).expect("a user")),
        ..ConnectOptions::default()
    };
    let user = who_am_i(&options).await;
    assert_eq!(user.username.as_deref(), Some("cert-user"));
    assert!(
        user.groups
            .unwrap_or_default()
            .contains(&"team-a".to_owned())
    );
}

#[tokio::test]
async fn a_client_certificate_in_flags() {
    let cluster = TestCluster::shared();
    let options = ConnectOptions {
        client_certificate: Some(cluster.client_certificate_path()),
        client_key: Some(cluster.client_key_path()),
        ..stranger(cluster)
    };
    assert_ne!(name(&options).await, "system:anonymous");
}

#[tokio::test]
async fn a_token_in_a_flag() {
    let cluster = TestCluster::shared();
    let options = ConnectOptions {
        token: Some(SecretString::from(cluster.stranger_token())),
        ..stranger(cluster)
    };
    assert_eq!(name(&options).await, "token-stranger");
}

#[tokio::test]
async fn a_token_in_a_file_with_a_line_break() {
    let cluster = TestCluster::shared();
    let folder = tempfile::tempdir().expect("a folder");
    let kubeconfig = folder.path().join("kubeconfig");
    let token = format!("{}\n", cluster.stranger_token());
    std::fs::write(folder.path().join("token"), token).expect("written");
    let text = kubeconfig_with_user(cluster, "{tokenFile: token}");
    std::fs::write(&kubeconfig, text).expect("written");
    let options = ConnectOptions {
        kubeconfig: Some(kubeconfig),
        ..ConnectOptions::default()
    };
    assert_eq!(name(&options).await, "token-stranger");
}

#[tokio::test]
async fn without_an_authority_only_insecurity_connects() {
    let cluster = TestCluster::shared();
    let options = ConnectOptions {
        certificate_authority: None,
        insecure_skip_tls_verify: true,
        token: Some(SecretString::from(cluster.stranger_token())),
        ..stranger(cluster)
    };
    assert_eq!(name(&options).await, "token-stranger");
}

#[tokio::test]
async fn all_of_an_impersonated_user_arrives() {
    let extras = BTreeMap::from([
        (
            "example.org/team".to_owned(),
            vec!["blue".to_owned(), "red".to_owned()],
        ),
        ("scopes".to_owned(), vec!["a=b c%".to_owned()]),
    ]);
    let options = ConnectOptions {
        kubeconfig: Some(TestCluster::shared().kubeconfig().to_owned()),
        impersonation: Impersonation {
            user: Some("jane".to_owned()),
            uid: Some("uid-7".to_owned()),
            groups: vec!["team-a".to_owned(), "team-b".to_owned()],
            extras: extras.clone(),
        },
        ..ConnectOptions::default()
    };
    let user = who_am_i(&options).await;
    assert_eq!(user.username.as_deref(), Some("jane"));
    assert_eq!(user.uid.as_deref(), Some("uid-7"));
    let groups = user.groups.unwrap_or_default();
    assert_eq!(&groups[..2], ["team-a", "team-b"]);
    assert_eq!(user.extra, Some(extras));
}
