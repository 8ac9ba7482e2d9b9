//! A proxy between us and the API server, as `proxy-url` names it.

use std::sync::{Arc, Mutex};

use kubectl_copyrator::cluster::ConnectOptions;
use secrecy::SecretString;
use test_cluster::TestCluster;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional},
    net::{TcpListener, TcpStream},
};

use super::identity::{name, trust, written};

/// What clients asked the proxy for.
type Asked = Arc<Mutex<Vec<String>>>;

async fn listen() -> (TcpListener, u16) {
    let listener = TcpListener::bind(("127.0.0.1", 0))
        .await
        .expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    (listener, port)
}

/// Reads to the end of the head of a request.
async fn head(client: &mut TcpStream) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match client.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => break,
        }
    }
    String::from_utf8_lossy(&head).into_owned()
}

/// A server that answers whatever comes in first with this.
pub async fn answer_to_all(answer: &'static str) -> u16 {
    let (listener, port) = listen().await;
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let mut something = [0; 1024];
            let _ = client.read(&mut something).await;
            let _ = client.write_all(answer.as_bytes()).await;
            let _ = client.shutdown().await;
        }
    });
    port
}

/// A proxy that knows CONNECT, and keeps what it was asked for.
async fn proxy() -> (u16, Asked) {
    let (listener, port) = listen().await;
    let asked = Asked::default();
    let heads = Arc::clone(&asked);
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(tunnel(client, Arc::clone(&heads)));
        }
    });
    (port, asked)
}

async fn tunnel(mut client: TcpStream, heads: Asked) {
    let head = head(&mut client).await;
    let target = head
        .split_whitespace()
        .nth(1)
        .unwrap_or_default()
        .to_owned();
    heads.lock().expect("nobody panicked").push(head);
    let Ok(mut server) = TcpStream::connect(target).await else {
        return;
    };
    let _ = client.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await;
    let _ = copy_bidirectional(&mut client, &mut server).await;
}

#[tokio::test]
async fn the_kubeconfigs_proxy_is_used_and_told_who_we_are() {
    let (port, asked) = proxy().await;
    let url = format!("proxy-url: 'http://me:p%40ss@127.0.0.1:{port}'");
    let kubeconfig = written(&format!("{url}, {}", trust()), "");
    let options = ConnectOptions {
        token: Some(SecretString::from(TestCluster::shared().stranger_token())),
        ..kubeconfig.options.clone()
    };
    assert_eq!(name(&options).await, "token-stranger");
    let heads = asked.lock().expect("nobody panicked").join("");
    let address = TestCluster::shared().url().replace("https://", "");
    assert!(heads.starts_with(&format!("CONNECT {address} ")), "{heads}");
    assert!(
        heads.to_lowercase().contains("proxy-authorization: basic"),
        "{heads}"
    );
}
