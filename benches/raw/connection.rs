//! One HTTP/1.1 connection over TLS, with nothing but what a writer needs.

use std::{net::Ipv4Addr, sync::Arc};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use tokio_rustls::{
    TlsConnector,
    client::TlsStream,
    rustls::{
        ClientConfig, RootCertStore, crypto,
        pki_types::{CertificateDer, IpAddr, ServerName, pem::PemObject},
    },
};

use crate::error::Outcome;

/// An open connection.
pub struct Connection {
    stream: TlsStream<TcpStream>,
    /// What has been received of the answer; it is used again for the next one.
    received: Vec<u8>,
}

/// An answer.
pub struct Answer {
    /// The status.
    pub status: u16,
    /// How many bytes it had, head and all.
    pub bytes: usize,
    /// The body, as far as it was wanted.
    pub body: Vec<u8>,
}

/// TLS that trusts one authority.
pub fn tls(ca: &str) -> Outcome<TlsConnector> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(ca.as_bytes())?)?;
    let provider = Arc::new(crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

impl Connection {
    /// Connects to a port of the loopback address.
    pub async fn open(tls: &TlsConnector, port: u16) -> Outcome<Self> {
        let socket = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await?;
        socket.set_nodelay(true)?;
        let name = ServerName::IpAddress(IpAddr::from(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST)));
        Ok(Self {
            stream: tls.connect(name, socket).await?,
            received: Vec::with_capacity(64 * 1024),
        })
    }

    /// What goes over the wire.
    pub fn stream(&mut self) -> &mut TlsStream<TcpStream> {
        &mut self.stream
    }

    /// Sends a request and reads the whole answer.
    pub async fn exchange(&mut self, request: &[u8], keep: bool) -> Outcome<Answer> {
        self.stream.write_all(request).await?;
        self.stream.flush().await?;
        self.received.clear();
        let head = self.head().await?;
        let text = str::from_utf8(&self.received[..head])?.to_ascii_lowercase();
        let status = text.split(' ').nth(1).unwrap_or_default().parse()?;
        let mut answer = Answer {
            status,
            bytes: head,
            body: self.received.split_off(head),
        };
        match header(&text, "content-length: ") {
            Some(length) => self.sized(&mut answer, length.parse()?).await?,
            None if header(&text, "transfer-encoding: ") == Some("chunked") => {
                self.chunked(&mut answer, keep).await?;
            }
            None => return Err(format!("an answer without a length:\n{text}").into()),
        }
        Ok(answer)
    }

    /// Reads until the head is whole; how long it is.
    async fn head(&mut self) -> Outcome<usize> {
        loop {
            if let Some(end) = find(&self.received, b"\r\n\r\n") {
                return Ok(end + 4);
            }
            if self.stream.read_buf(&mut self.received).await? == 0 {
                return Err("the connection was closed".into());
            }
        }
    }

    async fn sized(&mut self, answer: &mut Answer, length: usize) -> Outcome<()> {
        while answer.body.len() < length {
            if self.stream.read_buf(&mut answer.body).await? == 0 {
                return Err("the connection was closed within an answer".into());
            }
        }
        answer.bytes += length;
        Ok(())
    }

    /// Reads chunks; what isn't kept is thrown away as soon as it is there.
    async fn chunked(&mut self, answer: &mut Answer, keep: bool) -> Outcome<()> {
        let mut pending = std::mem::take(&mut answer.body);
        loop {
            while let Some(end) = find(&pending, b"\r\n") {
                let size = usize::from_str_radix(str::from_utf8(&pending[..end])?, 16)?;
                let whole = end + 2 + size + 2;
                while pending.len() < whole {
                    self.more(&mut pending).await?;
                }
                if keep {
                    answer
                        .body
                        .extend_from_slice(&pending[end + 2..end + 2 + size]);
                }
                answer.bytes += whole;
                pending.drain(..whole);
                if size == 0 {
                    return Ok(());
                }
            }
            self.more(&mut pending).await?;
        }
    }

    async fn more(&mut self, pending: &mut Vec<u8>) -> Outcome<()> {
        match self.stream.read_buf(pending).await? {
            0 => Err("the connection was closed within an answer".into()),
            _ => Ok(()),
        }
    }
}

/// Where a part of a text begins.
pub fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().find_map(|line| line.strip_prefix(name))
}
