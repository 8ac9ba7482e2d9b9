//! A server of the test's own, which answers as it is told.

use std::sync::{Arc, Mutex};

use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};
use tokio_rustls::TlsAcceptor;

use super::replies::Reply;

/// What a connection over TLS begins with (RFC 8446, section 5.1).
const TLS_HANDSHAKE: u8 = 22;

/// A running server; it ends with the test's runtime.
pub struct Server {
    scheme: &'static str,
    port: u16,
    requests: Arc<Mutex<Vec<Request>>>,
}

/// The head of a request.
#[derive(Clone, Debug)]
pub struct Request(String);

impl Request {
    /// The path and query, or for a proxy what is asked of it.
    pub fn target(&self) -> &str {
        self.0.split(' ').nth(1).unwrap_or_default()
    }

    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.0.lines().filter_map(|line| line.split_once(": "));
        let line = lines.find(|(other, _)| other.eq_ignore_ascii_case(name));
        line.map(|(_, value)| value)
    }

    /// All of it.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl Server {
    /// Starts a server that asks `decide` about every request, with how many came before.
    pub async fn start(decide: impl Fn(&Request, usize) -> Reply + Send + Sync + 'static) -> Self {
        Self::listen(None, decide).await
    }

    /// The same, over TLS.
    pub async fn start_tls(
        acceptor: TlsAcceptor,
        decide: impl Fn(&Request, usize) -> Reply + Send + Sync + 'static,
    ) -> Self {
        Self::listen(Some(acceptor), decide).await
    }

    /// Starts a server that always answers the same.
    pub async fn always(reply: Reply) -> Self {
        Self::start(move |_, _| reply.clone()).await
    }

    async fn listen(
        acceptor: Option<TlsAcceptor>,
        decide: impl Fn(&Request, usize) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0))
            .await
            .expect("a free port");
        let server = Self {
            scheme: if acceptor.is_some() { "https" } else { "http" },
            port: listener.local_addr().expect("a bound port").port(),
            requests: Arc::default(),
        };
        let serving = Serving {
            decide: Arc::new(decide),
            requests: Arc::clone(&server.requests),
        };
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.expect("connections come in");
                tokio::spawn(serving.clone().connection(stream, acceptor.clone()));
            }
        });
        server
    }

    /// The address of a path.
    pub fn url(&self, path: &str) -> String {
        self.url_at("127.0.0.1", path)
    }

    /// The address of a path by another name of this machine.
    pub fn url_at(&self, host: &str, path: &str) -> String {
        format!("{}://{host}:{}{path}", self.scheme, self.port)
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The requests so far.
    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("no holder panics").clone()
    }

    /// The paths and queries of the requests so far.
    pub fn targets(&self) -> Vec<String> {
        let requests = self.requests();
        requests
            .iter()
            .map(|request| request.target().to_owned())
            .collect()
    }
}

type Decide = dyn Fn(&Request, usize) -> Reply + Send + Sync;

#[derive(Clone)]
struct Serving {
    decide: Arc<Decide>,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Serving {
    /// A client that goes away is none of the server's business.
    async fn connection(self, stream: TcpStream, acceptor: Option<TlsAcceptor>) {
        let Some(acceptor) = acceptor else {
            return self.answer(stream).await;
        };
        if let Ok(stream) = acceptor.accept(stream).await {
            self.answer(stream).await;
        }
    }

    async fn answer(&self, mut stream: impl AsyncRead + AsyncWrite + Unpin) {
        let Some(request) = read_head(&mut stream).await else {
            return;
        };
        let before = {
            let mut requests = self.requests.lock().expect("no holder panics");
            requests.push(request.clone());
            requests.len() - 1
        };
        match (self.decide)(&request, before) {
            Reply::Send(bytes) => {
                let _ = stream.write_all(&bytes).await;
                let _ = stream.shutdown().await;
            }
            Reply::Stall(bytes) => {
                let _ = stream.write_all(&bytes).await;
                let _ = stream.read(&mut [0]).await;
            }
        }
    }
}

/// The head of a request, up to the empty line. One that begins with TLS is taken for a whole one, as
/// servers complain of that at once.
pub async fn read_head(stream: &mut (impl AsyncRead + Unpin)) -> Option<Request> {
    let mut head = vec![stream.read_u8().await.ok()?];
    if head[0] == TLS_HANDSHAKE {
        let mut rest = [0; 4];
        stream.read_exact(&mut rest).await.ok()?;
        let length = u16::from_be_bytes([rest[2], rest[3]]);
        let mut record = vec![0; length.into()];
        stream.read_exact(&mut record).await.ok()?;
        return Some(Request("TLS".to_owned()));
    }
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    String::from_utf8(head).ok().map(Request)
}
