//! What is said when there is no way to the API server, or no right on it.

use test_cluster::TestCluster;
use tokio::net::TcpListener;

use crate::sandbox::{Invocation, Ran};

async fn check(arguments: &[&str]) -> Ran {
    let arguments: Vec<&str> = ["crd", "install", "--check"]
        .into_iter()
        .chain(arguments.iter().copied())
        .collect();
    let invocation = Invocation::new(TestCluster::shared().kubeconfig(), &arguments);
    let ran = invocation.run().await.failed_with(1);
    assert_eq!(ran.stdout, "");
    ran
}

#[tokio::test]
async fn a_refused_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let ran = check(&["-s", &format!("https://{address}")]).await;
    assert_eq!(
        ran.stderr,
        format!(
            "The connection to the server {address} was refused - did you specify the right host \
             or port?\n"
        )
    );
}

#[tokio::test]
async fn an_authority_that_did_not_sign() {
    let cluster = TestCluster::shared();
    let leaf = cluster.client_certificate_path();
    let ran = check(&["--certificate-authority", &leaf.display().to_string()]).await;
    let _ = ran.says("its certificate is signed by unknown authority; name the right one with");
}

#[tokio::test]
async fn a_name_that_is_not_the_servers() {
    let ran = check(&["--tls-server-name", "other.example"]).await;
    let _ = ran.says("its certificate is not for this name");
}

#[tokio::test]
async fn an_answer_that_does_not_come() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let ran = check(&[
        "-s",
        &format!("http://{address}"),
        "--request-timeout=300ms",
    ])
    .await;
    let _ = ran.says(&format!("{address} gave no answer within 0.3s"));
}

#[tokio::test]
async fn a_token_that_is_not_accepted() {
    let cluster = TestCluster::shared();
    let arguments = [
        "crd",
        "install",
        "-s",
        &cluster.url(),
        "--certificate-authority",
        &cluster.ca_path().display().to_string(),
        "--token=hush",
    ];
    let nowhere = cluster.dir().join("no-such-kubeconfig");
    let ran = Invocation::new(&nowhere, &arguments)
        .run()
        .await
        .failed_with(1);
    assert!(!ran.stderr.contains("hush"));
    let _ = ran.says("Error from server (Unauthorized): ");
}

#[tokio::test]
async fn a_right_that_is_missing() {
    let ran = check(&["--as", "jane"]).await;
    let _ = ran
        .says("Error from server (Forbidden): ")
        .says(r#"User "jane" cannot get resource "customresourcedefinitions""#)
        .says("--verb=get --resource=customresourcedefinitions");
}

#[tokio::test]
async fn requests_are_logged_without_what_they_hold() {
    let cluster = TestCluster::shared();
    let run = async |level: &'static str| {
        let arguments = ["crd", "install", "--dry-run=server", "-v", level];
        Invocation::new(cluster.kubeconfig(), &arguments)
            .run()
            .await
            .succeeded()
    };
    assert_eq!(run("4").await.stderr, "");
    let _ = run("6")
        .await
        .says("GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions/");
    let all = run("99").await.stderr;
    assert!(
        !all.contains("openAPIV3Schema") && !all.contains("hyper"),
        "{all}"
    );
}
