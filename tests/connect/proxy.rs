//! A proxy that the kubeconfig or the environment names, as a small CONNECT proxy sees it.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use tempfile::TempDir;
use test_cluster::TestCluster;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional},
    net::{TcpListener, TcpStream},
};

use crate::sandbox::Invocation;

/// A running proxy: its address, and the request lines that came to it.
struct Tunnel {
    address: String,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Tunnel {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let seen = Arc::<Mutex<Vec<String>>>::default();
        let log = Arc::clone(&seen);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(relay(client, Arc::clone(&log)));
            }
        });
        Self { address, seen }
    }

    fn seen(&self) -> Vec<String> {
        self.seen.lock().expect("no test panics with it").clone()
    }
}

async fn relay(mut client: TcpStream, log: Arc<Mutex<Vec<String>>>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(client.read_u8().await.expect("a whole request"));
    }
    let head = String::from_utf8(head).expect("text");
    let words: Vec<&str> = head.split_whitespace().collect();
    let mut server = TcpStream::connect(words[1]).await.expect("the target");
    log.lock()
        .expect("no test panics with it")
        .push(head.clone());
    client
        .write_all(b"HTTP/1.1 200 OK\r\n\r\n")
        .await
        .expect("answered");
    let _ = copy_bidirectional(&mut client, &mut server).await;
}

fn kubeconfig(folder: &TempDir, proxy: &str) -> PathBuf {
    let text = TestCluster::shared().kubeconfig_text();
    let text = text.replace("server:", &format!("proxy-url: {proxy}\n    server:"));
    let path = folder.path().join("kubeconfig");
    std::fs::write(&path, text).expect("written");
    path
}

fn check(kubeconfig: &Path) -> Invocation {
    Invocation::new(kubeconfig, &["crd", "install", "--dry-run"])
}

#[tokio::test]
async fn the_kubeconfigs_proxy_is_used_with_its_password() {
    let (tunnel, folder) = (
        Tunnel::start().await,
        tempfile::tempdir().expect("a folder"),
    );
    let proxy = format!("http://me:p%40ss@{}", tunnel.address);
    let kubeconfig = kubeconfig(&folder, &proxy);
    check(&kubeconfig)
        .env("NO_PROXY", "*")
        .run()
        .await
        .succeeded();
    let seen = tunnel.seen();
    let host = TestCluster::shared().url().replace("https://", "");
    assert!(seen[0].starts_with(&format!("CONNECT {host} ")), "{seen:?}");
    // me:p@ss
    assert!(seen[0].contains("Basic bWU6cEBzcw=="), "{seen:?}");
}

#[tokio::test]
async fn the_environments_proxy_is_not_for_this_machine() {
    let tunnel = Tunnel::start().await;
    let invocation = check(TestCluster::shared().kubeconfig());
    let invocation = invocation
        .env("HTTPS_PROXY", &tunnel.address)
        .env("NO_PROXY", "a,,b");
    invocation.run().await.succeeded();
    assert!(tunnel.seen().is_empty());
}

#[tokio::test]
async fn the_environments_proxy_is_used_for_other_hosts() {
    let tunnel = Tunnel::start().await;
    let server = TestCluster::shared().url().replace("127.0.0.1", "0.0.0.0");
    let arguments = [
        "crd",
        "install",
        "--dry-run",
        "-s",
        &server,
        "--tls-server-name=localhost",
    ];
    let invocation = Invocation::new(TestCluster::shared().kubeconfig(), &arguments);
    invocation
        .env("https_proxy", &tunnel.address)
        .run()
        .await
        .succeeded();
    assert!(!tunnel.seen().is_empty());
}
