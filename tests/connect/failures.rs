//! API servers that can't be worked with, as the user reads about them.

use std::time::Duration;

use insta::assert_snapshot;
use kubectl_copyrator::{
    cluster::{ApiServer, ApiServerOptions, ConnectOptions, Connection, connect, describe_failure},
    reconcile::{Cluster, Depth, NAMESPACES, Query},
};
use secrecy::SecretString;
use test_cluster::TestCluster;
use tokio::net::TcpListener;

use super::identity::{server, trust, written};

/// What is said about a request over this connection, without the port.
async fn failure(options: &ConnectOptions) -> String {
    let connection = match connect(options).await {
        Ok(connection) => connection,
        Err(error) => panic!("{error}"),
    };
    let Connection {
        client,
        server,
        request_timeout,
        ..
    } = connection;
    let options = ApiServerOptions {
        request_timeout,
        deadline: None,
        dry_run: false,
    };
    let query = Query::all(&NAMESPACES, Depth::Metadata);
    let listed = ApiServer::new(client, options)
        .list_page(&query, None, |_| Ok(Some(())))
        .await;
    let failure = listed.err().expect("no list").failure;
    let text = describe_failure(&server, &failure);
    let port = server.rsplit(':').next().unwrap_or_default().to_owned();
    text.unwrap_or_else(|| panic!("{failure:?}"))
        .replace(&port, "PORT")
}

async fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0))
        .await
        .expect("a free port");
    listener.local_addr().expect("an address").port()
}

#[tokio::test]
async fn nothing_listens() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = ConnectOptions {
        server: Some(format!("https://127.0.0.1:{}", free_port().await)),
        ..server(&folder)
    };
    assert_snapshot!(failure(&options).await, @"The connection to the server 127.0.0.1:PORT was refused - did you specify the right host or port?");
}

#[tokio::test]
async fn no_such_host() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = ConnectOptions {
        server: Some("https://no-such-host.invalid".to_owned()),
        ..server(&folder)
    };
    let text = failure(&options).await;
    assert!(
        text.starts_with("Unable to connect to the server: "),
        "{text}"
    );
    assert!(text.contains("no-such-host.invalid"), "{text}");
}

#[tokio::test]
async fn an_unknown_authority() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_snapshot!(failure(&server(&folder)).await, @"Unable to connect to the server: tls: failed to verify the certificate of 127.0.0.1:PORT: certificate signed by unknown authority (pass its authority with --certificate-authority)");
    let options = ConnectOptions {
        certificate_authority: Some(TestCluster::shared().client_certificate_path()),
        ..server(&folder)
    };
    assert_snapshot!(failure(&options).await, @"Unable to connect to the server: tls: failed to verify the certificate of 127.0.0.1:PORT: certificate signed by unknown authority (pass its authority with --certificate-authority)");
}

#[tokio::test]
async fn another_name() {
    let kubeconfig = written(&trust(), "");
    let options = ConnectOptions {
        tls_server_name: Some("other.example".to_owned()),
        ..kubeconfig.options.clone()
    };
    assert_snapshot!(failure(&options).await, @r#"Unable to connect to the server: tls: failed to verify the certificate of 127.0.0.1:PORT: certificate not valid for name "other.example"; certificate is only valid for DnsName("localhost"), IpAddress(127.0.0.1), DnsName("kubernetes"), DnsName("kubernetes.default"), DnsName("kubernetes.default.svc"), DnsName("kubernetes.default.svc.cluster.local") or IpAddress(10.0.0.1) (--tls-server-name says which name to expect)"#);
}

#[tokio::test]
async fn a_token_that_nobody_gave_out() {
    let kubeconfig = written(&trust(), "");
    let options = ConnectOptions {
        token: Some(SecretString::from("invented")),
        ..kubeconfig.options.clone()
    };
    assert_snapshot!(failure(&options).await, @"You must be logged in to the server (Unauthorized): it doesn't accept the credentials of the kubeconfig or the flags");
}

#[tokio::test]
async fn a_server_that_says_nothing() {
    let listener = TcpListener::bind(("127.0.0.1", 0))
        .await
        .expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    let folder = tempfile::tempdir().expect("a folder");
    for scheme in ["http", "https"] {
        let options = ConnectOptions {
            server: Some(format!("{scheme}://127.0.0.1:{port}")),
            request_timeout: Some(Duration::from_millis(300)),
            ..server(&folder)
        };
        let text = failure(&options).await;
        assert!(
            text.starts_with("Unable to connect to the server: 127.0.0.1:PORT: no "),
            "{text}"
        );
    }
}

#[tokio::test]
async fn a_server_that_speaks_plain_http() {
    let port = super::tunnel::answer_to_all("HTTP/1.1 400 Bad Request\r\n\r\n").await;
    let folder = tempfile::tempdir().expect("a folder");
    let options = ConnectOptions {
        server: Some(format!("https://127.0.0.1:{port}")),
        ..server(&folder)
    };
    assert_snapshot!(failure(&options).await, @"Unable to connect to the server: 127.0.0.1:PORT: server gave HTTP response to HTTPS client");
}

#[tokio::test]
async fn a_proxy_that_isnt_there() {
    let kubeconfig = written(
        &format!("proxy-url: 'http://127.0.0.1:{}'", free_port().await),
        "",
    );
    assert_snapshot!(failure(&kubeconfig.options).await, @"Unable to connect to the server: 127.0.0.1:PORT: the proxy: connection refused");
}

#[tokio::test]
async fn a_proxy_that_refuses() {
    let port = super::tunnel::answer_to_all("HTTP/1.1 403 Forbidden\r\n\r\n").await;
    let kubeconfig = written(&format!("proxy-url: 'http://127.0.0.1:{port}'"), "");
    assert_snapshot!(failure(&kubeconfig.options).await, @"Unable to connect to the server: 127.0.0.1:PORT: the proxy: it refuses to connect us");
}
