//! What tests can do with a cluster; these share one.

use std::path::Path;
use std::process::Output;

use test_cluster::TestCluster;

pub fn kubectl(cluster: &TestCluster, kubeconfig: &Path, arguments: &[&str]) -> Output {
    cluster
        .kubectl()
        .env("KUBECONFIG", kubeconfig)
        .args(arguments)
        .output()
        .expect("a run of kubectl")
}

/// What kubectl prints for the administrator.
fn admin(arguments: &[&str]) -> String {
    let cluster = TestCluster::shared();
    let output = kubectl(cluster, cluster.kubeconfig(), arguments);
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn can_list_secrets(kubeconfig: &Path, token: &str) -> bool {
    let cluster = TestCluster::shared();
    let mut arguments = vec!["auth", "can-i", "list", "secrets", "--namespace=default"];
    let token = format!("--token={token}");
    if token != "--token=" {
        arguments.push(&token);
    }
    kubectl(cluster, kubeconfig, &arguments).status.success()
}

/// A kubeconfig without a user, in which a token is all that counts.
fn anonymous() -> tempfile::NamedTempFile {
    let text = TestCluster::shared().kubeconfig_text();
    let kept = text.lines().filter(|line| !line.contains("client-"));
    let text = kept
        .collect::<Vec<_>>()
        .join("\n")
        .replace("  user:\n", "  user: {}\n");
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), text).expect("a written kubeconfig");
    file
}

#[test]
fn it_serves_the_version_that_is_pinned() {
    let version = admin(&["version", "--output=yaml"]);
    assert_eq!(version.matches("gitVersion: v1.").count(), 2, "{version}");
}

#[test]
fn service_accounts_and_the_root_certificate_are_published() {
    admin(&["get", "serviceaccount", "default"]);
    admin(&[
        "wait",
        "--for=create",
        "configmap/kube-root-ca.crt",
        "--timeout=20s",
    ]);
    let token = admin(&["create", "token", "default"]);
    assert_eq!(token.split('.').count(), 3, "{token}");
}

#[test]
fn namespaces_are_deleted_with_what_is_in_them() {
    admin(&["create", "namespace", "doomed"]);
    admin(&["create", "configmap", "doomed", "--namespace=doomed"]);
    admin(&["delete", "namespace", "doomed", "--timeout=30s"]);
}

#[test]
fn a_new_user_has_no_rights_until_they_are_granted() {
    let alice = TestCluster::shared().user("alice", &[]).expect("a user");
    assert!(!can_list_secrets(&alice, ""));
    admin(&[
        "create",
        "clusterrolebinding",
        "alice",
        "--clusterrole=view",
        "--user=alice",
    ]);
    admin(&[
        "create",
        "clusterrole",
        "secret-reader",
        "--verb=list",
        "--resource=secrets",
    ]);
    admin(&[
        "create",
        "clusterrolebinding",
        "alices",
        "--clusterrole=secret-reader",
        "--user=alice",
    ]);
    crate::traces::eventually("alice's right", || can_list_secrets(&alice, ""));
}

#[test]
fn a_user_can_be_in_two_groups() {
    let cluster = TestCluster::shared();
    let bob = cluster.user("bob", &["one", "two"]).expect("a user");
    let output = kubectl(cluster, &bob, &["auth", "whoami", "--output=yaml"]);
    let identity = String::from_utf8_lossy(&output.stdout);
    assert!(identity.contains("- one\n"), "{identity}");
    assert!(identity.contains("- two\n"), "{identity}");
    assert!(identity.contains("username: bob\n"), "{identity}");
    cluster
        .user("carol", &["one", "two", "three"])
        .expect_err("rcgen can't do three");
    cluster.user("../dave", &[]).expect_err("no such file name");
}

#[test]
fn tokens_are_those_of_an_administrator_and_a_stranger() {
    let cluster = TestCluster::shared();
    let file = anonymous();
    assert!(can_list_secrets(file.path(), cluster.token()));
    assert!(!can_list_secrets(file.path(), cluster.stranger_token()));
}

#[test]
fn the_administrator_can_be_spelled_in_flags() {
    let cluster = TestCluster::shared();
    let flag = |name: &str, path: &Path| format!("--{name}={}", path.display());
    let arguments = [
        format!("--server={}", cluster.url()),
        flag("certificate-authority", &cluster.ca_path()),
        flag("client-certificate", &cluster.client_certificate_path()),
        flag("client-key", &cluster.client_key_path()),
        "get".to_owned(),
        "namespaces".to_owned(),
    ];
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let output = kubectl(cluster, Path::new("/dev/null"), &arguments);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
