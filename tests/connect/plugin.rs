//! Credential plugins: a shell script that counts how often it runs.

use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf};

use k8s_openapi::api::authentication::v1::SelfSubjectReview;
use kube::{Api, api::PostParams};
use kubectl_copyrator::cluster::{ConnectOptions, connect};
use tempfile::TempDir;
use test_cluster::TestCluster;

use super::{kubeconfig_with_user, name, who_am_i};

struct Plugin {
    folder: TempDir,
}

impl Plugin {
    /// A plugin that prints a status with this field; `{n}` is the number of the run.
    fn printing(status: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let credential = format!(
            r#"{{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{status}}}"#
        );
        fs::write(folder.path().join("credential"), credential).expect("written");
        let script = "#!/bin/sh\ncd \"$(dirname \"$0\")\"\necho >> runs\n\
                      sed \"s/{n}/$(wc -l < runs)/\" credential\n";
        let path = folder.path().join("plugin");
        fs::write(&path, script).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
        let user = "{exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin, \
                     interactiveMode: Never, provideClusterInfo: true}}";
        let text = kubeconfig_with_user(TestCluster::shared(), user);
        fs::write(folder.path().join("kubeconfig"), text).expect("written");
        Self { folder }
    }

    fn options(&self) -> ConnectOptions {
        ConnectOptions {
            kubeconfig: Some(self.path("kubeconfig")),
            ..ConnectOptions::default()
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn runs(&self) -> usize {
        fs::read_to_string(self.path("runs")).map_or(0, |runs| runs.lines().count())
    }
}

#[tokio::test]
async fn a_plugins_token_is_used_and_the_plugin_runs_once() {
    let token = TestCluster::shared().stranger_token();
    let plugin = Plugin::printing(&format!(r#"{{"token":"{token}"}}"#));
    assert_eq!(name(&plugin.options()).await, "token-stranger");
    assert_eq!(plugin.runs(), 1);
}

#[tokio::test]
async fn a_plugins_certificate_is_used() {
    let cluster = TestCluster::shared();
    let pem = |path: PathBuf| {
        serde_json::to_string(&fs::read_to_string(path).expect("readable")).expect("a string")
    };
    let status = format!(
        r#"{{"clientCertificateData":{},"clientKeyData":{}}}"#,
        pem(cluster.client_certificate_path()),
        pem(cluster.client_key_path())
    );
    // The script's sed reads one line at a time, and JSON's line breaks are escaped.
    let plugin = Plugin::printing(&status);
    let user = who_am_i(&plugin.options()).await;
    let groups = user.groups.unwrap_or_default();
    assert!(groups.contains(&"system:masters".to_owned()), "{groups:?}");
    assert_eq!(plugin.runs(), 1);
}

#[tokio::test]
async fn a_token_that_is_over_is_replaced_before_each_request() {
    let token = TestCluster::shared().stranger_token();
    let plugin = Plugin::printing(&format!(
        r#"{{"token":"{token}","expirationTimestamp":"2020-01-01T00:00:00Z"}}"#
    ));
    let connection = connect(&plugin.options()).await.expect("a connection");
    let reviews: Api<SelfSubjectReview> = Api::all(connection.client);
    for _ in 0..2 {
        let review = SelfSubjectReview::default();
        reviews
            .create(&PostParams::default(), &review)
            .await
            .expect("accepted");
    }
    assert_eq!(plugin.runs(), 3);
}

#[tokio::test]
async fn a_token_that_is_refused_is_replaced_for_the_next_request() {
    let plugin = Plugin::printing(r#"{"token":"wrong-{n}"}"#);
    let connection = connect(&plugin.options()).await.expect("a connection");
    let reviews: Api<SelfSubjectReview> = Api::all(connection.client);
    let ask = async || {
        let review = SelfSubjectReview::default();
        reviews.create(&PostParams::default(), &review).await
    };
    assert!(ask().await.is_err());
    assert_eq!(plugin.runs(), 1);
    let token = TestCluster::shared().stranger_token();
    let credential = fs::read_to_string(plugin.path("credential")).expect("readable");
    fs::write(
        plugin.path("credential"),
        credential.replace("wrong-{n}", token),
    )
    .expect("written");
    ask().await.expect("the new token is accepted");
    assert_eq!(plugin.runs(), 2);
    fs::write(plugin.path("credential"), "rubbish").expect("written");
    ask().await.expect("a token that is accepted stays");
}
