//! Through a proxy, which looks names up itself.

use std::sync::{Arc, Mutex};

use kubectl_copyrator::rates::provider::{
    Feeds as _, Permissions, Proxies, UrlPermission, Web, WebOptions,
};
use tokio::{
    io::{AsyncWriteExt as _, copy_bidirectional},
    net::{TcpListener, TcpStream},
};

use super::{
    certificates::Certificates,
    feeds::{RATES, of_object, options, own, web, why},
    replies::{Reply, ok, status},
    server::{Server, read_head},
};

/// A proxy that leads everything to one port, and remembers where it was meant to go.
struct Proxy {
    port: u16,
    targets: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    async fn to(port: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0))
            .await
            .expect("a free port");
        let proxy = Self {
            port: listener.local_addr().expect("a bound port").port(),
            targets: Arc::default(),
        };
        let targets = Arc::clone(&proxy.targets);
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.expect("connections come in");
                tokio::spawn(tunnel(stream, port, Arc::clone(&targets)));
            }
        });
        proxy
    }

    fn options(&self, certificates: &Certificates) -> WebOptions {
        WebOptions {
            authorities: Some(certificates.authority()),
            proxies: Proxies::All(format!("http://127.0.0.1:{}", self.port)),
            ..options()
        }
    }

    fn targets(&self) -> Vec<String> {
        self.targets.lock().expect("no holder panics").clone()
    }
}

async fn tunnel(mut client: TcpStream, port: u16, targets: Arc<Mutex<Vec<String>>>) {
    let Some(request) = read_head(&mut client).await else {
        return;
    };
    let target = request.target().to_owned();
    targets.lock().expect("no holder panics").push(target);
    let mut server = TcpStream::connect(("127.0.0.1", port))
        .await
        .expect("the server is there");
    if client.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.is_ok() {
        let _ = copy_bidirectional(&mut client, &mut server).await;
    }
}

fn public(options: WebOptions) -> Web {
    let permissions = Permissions {
        urls: UrlPermission::Public,
        ..Permissions::for_objects_of_others()
    };
    Web::new(options, permissions).expect("the options are valid")
}

async fn server(reply: Reply) -> (Server, Proxy, Certificates) {
    let certificates = Certificates::new();
    let server = Server::start_tls(certificates.acceptor(), move |_, _| reply.clone()).await;
    let proxy = Proxy::to(server.port()).await;
    (server, proxy, certificates)
}

#[tokio::test]
async fn a_proxy_is_used_for_a_person_and_for_objects() {
    let (_server, proxy, certificates) = server(ok(RATES)).await;
    let url = "https://rates.example/eur.json";
    assert!(
        web(proxy.options(&certificates))
            .fetch(&own(url), None)
            .await
            .is_ok()
    );
    let objects = public(proxy.options(&certificates));
    assert!(objects.fetch(&of_object(url), None).await.is_ok());
    assert_eq!(proxy.targets(), ["rates.example:443", "rates.example:443"]);
}

#[tokio::test]
async fn names_of_one_s_own_network_never_reach_the_proxy() {
    let (_server, proxy, certificates) = server(ok(RATES)).await;
    let objects = public(proxy.options(&certificates));
    for host in [
        "localhost",
        "mirror",
        "mirror.shop.svc",
        "mirror.shop.svc.cluster.local",
        "169.254.169.254",
        "[::1]",
        "metadata.google.internal",
    ] {
        let got = objects
            .fetch(&of_object(&format!("https://{host}/")), None)
            .await;
        assert_eq!(why(got).0, "NotPermitted", "{host}");
    }
    assert_eq!(proxy.targets(), [""; 0]);
}

#[tokio::test]
async fn a_redirection_to_one_s_own_network_is_not_followed() {
    for to in [
        "https://169.254.169.254/latest/meta-data",
        "https://mirror.shop.svc/",
        "https://[::ffff:10.0.0.1]/",
    ] {
        let (_server, proxy, certificates) = server(status(302, &[("location", to)])).await;
        let objects = public(proxy.options(&certificates));
        let got = objects
            .fetch(&of_object("https://rates.example/"), None)
            .await;
        assert_eq!(why(got).0, "NotPermitted", "{to}");
        assert_eq!(proxy.targets(), ["rates.example:443"]);
    }
}

#[tokio::test]
async fn a_proxy_that_refuses_is_told_as_such() {
    let refusing = Server::always(status(407, &[])).await;
    let options = WebOptions {
        proxies: Proxies::All(refusing.url("")),
        ..options()
    };
    let (word, message) = why(web(options)
        .fetch(&own("https://rates.example/"), None)
        .await);
    assert_eq!(word, "Unreachable");
    assert!(message.starts_with("through the proxy: "), "{message}");
}
