//! A proxy between us and the API server, as `proxy-url` names it.

use std::{
    fs, io,
    net::Ipv4Addr,
    sync::{Arc, Mutex},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use kubectl_copyrator::cluster::ConnectOptions;
use secrecy::SecretString;
use test_cluster::TestCluster;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, copy_bidirectional},
    net::{TcpListener, TcpStream},
};
use tokio_rustls::TlsAcceptor;

use super::identity::{Written, name, trust, written};
use crate::rates::Certificates;

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
async fn head(client: &mut (impl AsyncRead + Unpin)) -> String {
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

/// A proxy that speaks this, and keeps what it was asked for.
async fn proxy(protocol: Protocol) -> (u16, Asked) {
    let (listener, port) = listen().await;
    let asked = Asked::default();
    let kept = Arc::clone(&asked);
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(protocol.clone().serve(client, Arc::clone(&kept)));
        }
    });
    (port, asked)
}

/// What a proxy speaks.
#[derive(Clone)]
enum Protocol {
    /// CONNECT, over plain HTTP.
    Http,
    /// CONNECT, over TLS.
    Https(TlsAcceptor),
    /// SOCKS, version 5 (RFC 1928).
    Socks,
}

impl Protocol {
    async fn serve(self, client: TcpStream, asked: Asked) {
        match self {
            Self::Http => tunnel(client, asked).await,
            Self::Https(acceptor) => {
                if let Ok(client) = acceptor.accept(client).await {
                    tunnel(client, asked).await;
                }
            }
            Self::Socks => drop(socks(client, asked).await),
        }
    }
}

async fn tunnel(mut client: impl AsyncRead + AsyncWrite + Unpin, asked: Asked) {
    let head = head(&mut client).await;
    let target = head
        .split_whitespace()
        .nth(1)
        .unwrap_or_default()
        .to_owned();
    asked.lock().expect("nobody panicked").push(head);
    let Ok(mut server) = TcpStream::connect(target).await else {
        return;
    };
    let _ = client.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await;
    let _ = copy_bidirectional(&mut client, &mut server).await;
}

/// Knows nobody by name, and IPv4 addresses and hosts' names.
async fn socks(mut client: TcpStream, asked: Asked) -> io::Result<()> {
    const GREETING: [u8; 2] = [5, 0];
    const CONNECTED: [u8; 10] = [5, 0, 0, 1, 0, 0, 0, 0, 0, 0];
    let _version = client.read_u8().await?;
    let mut methods = vec![0; client.read_u8().await?.into()];
    client.read_exact(&mut methods).await?;
    client.write_all(&GREETING).await?;
    let mut request = [0; 4];
    client.read_exact(&mut request).await?;
    let host = if request[3] == 1 {
        Ipv4Addr::from(client.read_u32().await?).to_string()
    } else {
        let mut name = vec![0; client.read_u8().await?.into()];
        client.read_exact(&mut name).await?;
        String::from_utf8_lossy(&name).into_owned()
    };
    let target = format!("{host}:{}", client.read_u16().await?);
    let mut server = TcpStream::connect(&target).await?;
    asked.lock().expect("nobody panicked").push(target);
    client.write_all(&CONNECTED).await?;
    copy_bidirectional(&mut client, &mut server).await?;
    Ok(())
}

/// The stranger, by a kubeconfig that names a proxy.
fn stranger(kubeconfig: &Written) -> ConnectOptions {
    ConnectOptions {
        token: Some(SecretString::from(TestCluster::shared().stranger_token())),
        ..kubeconfig.options.clone()
    }
}

/// What a proxy was asked for, and what it should have been.
fn asked_for(asked: &Asked) -> (String, String) {
    let asked = asked.lock().expect("nobody panicked").join("");
    let address = TestCluster::shared().url().replace("https://", "");
    (asked, address)
}

#[tokio::test]
async fn the_kubeconfigs_proxy_is_used_and_told_who_we_are() {
    let (port, asked) = proxy(Protocol::Http).await;
    let url = format!("proxy-url: 'http://me:p%40ss@127.0.0.1:{port}'");
    let kubeconfig = written(&format!("{url}, {}", trust()), "");
    assert_eq!(name(&stranger(&kubeconfig)).await, "token-stranger");
    let (heads, address) = asked_for(&asked);
    assert!(heads.starts_with(&format!("CONNECT {address} ")), "{heads}");
    let credentials = STANDARD.encode("me:p@ss");
    let wanted = format!("proxy-authorization: basic {}", credentials.to_lowercase());
    assert!(heads.to_lowercase().contains(&wanted), "{heads}");
}

#[tokio::test]
async fn a_proxy_may_speak_tls() {
    let certificates = Certificates::new();
    let (port, asked) = proxy(Protocol::Https(certificates.acceptor())).await;
    let authorities = [certificates.authority(), TestCluster::shared().ca_path()]
        .map(|path| fs::read_to_string(path).expect("an authority"))
        .join("\n");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let bundle = folder.path().join("authorities.pem");
    fs::write(&bundle, authorities).expect("the authorities are written");
    let kubeconfig = written(
        &format!(
            "proxy-url: 'https://127.0.0.1:{port}', certificate-authority: '{}'",
            bundle.display()
        ),
        "",
    );
    assert_eq!(name(&stranger(&kubeconfig)).await, "token-stranger");
    let (heads, address) = asked_for(&asked);
    assert!(heads.starts_with(&format!("CONNECT {address} ")), "{heads}");
}

#[tokio::test]
async fn a_proxy_may_speak_socks() {
    let (port, asked) = proxy(Protocol::Socks).await;
    let url = format!("proxy-url: 'socks5://127.0.0.1:{port}'");
    let kubeconfig = written(&format!("{url}, {}", trust()), "");
    assert_eq!(name(&stranger(&kubeconfig)).await, "token-stranger");
    let (targets, address) = asked_for(&asked);
    assert_eq!(targets, address);
}
