//! Asks the API server over TLS whether it is ready. Not a client: one GET per connection.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddrV4, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::certificates::KeyedCertificate;
use crate::error::Error;

const PATIENCE: Duration = Duration::from_secs(5);

/// How much of an answer is kept.
const KEPT: usize = 1 << 18;

/// What it takes to ask one API server.
#[derive(Debug)]
pub(crate) struct ApiProbe {
    address: SocketAddrV4,
    config: Arc<ClientConfig>,
}

impl ApiProbe {
    pub(crate) fn new(
        address: SocketAddrV4,
        ca: &str,
        user: &KeyedCertificate,
    ) -> Result<Self, Error> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut roots = RootCertStore::empty();
        roots.add(certificate(ca)?).map_err(Error::Tls)?;
        let key =
            PrivateKeyDer::from_pem_slice(user.key.as_bytes()).map_err(|error| not_pem(&error))?;
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(Error::Tls)?
            .with_root_certificates(roots)
            .with_client_auth_cert(vec![certificate(&user.certificate)?], key)
            .map_err(Error::Tls)?;
        Ok(Self {
            address,
            config: Arc::new(config),
        })
    }

    /// The body, if a GET answers 200; what it says otherwise.
    pub(crate) fn get(&self, path: &str) -> Result<String, String> {
        let answer = self.exchange(path).map_err(|error| error.to_string())?;
        let status = answer.split(' ').nth(1).unwrap_or_default();
        if status == "200" {
            let body = answer.split_once("\r\n\r\n");
            Ok(body.map_or(String::new(), |(_, body)| body.to_owned()))
        } else {
            Err(format!("GET {path}: {}", one_line(&answer)))
        }
    }

    fn exchange(&self, path: &str) -> std::io::Result<String> {
        let socket = TcpStream::connect_timeout(&self.address.into(), PATIENCE)?;
        socket.set_read_timeout(Some(PATIENCE))?;
        socket.set_write_timeout(Some(PATIENCE))?;
        let name = ServerName::IpAddress((*self.address.ip()).into());
        let connection =
            ClientConnection::new(Arc::clone(&self.config), name).map_err(std::io::Error::other)?;
        let mut stream = StreamOwned::new(connection, socket);
        write!(
            stream,
            "GET {path} HTTP/1.0\r\nHost: {}\r\n\r\n",
            self.address
        )?;
        let mut answer = Vec::new();
        match stream.take(KEPT as u64).read_to_end(&mut answer) {
            Err(error) if error.kind() != ErrorKind::UnexpectedEof => Err(error),
            _ => Ok(String::from_utf8_lossy(&answer).into_owned()),
        }
    }
}

/// The status line and the last line of the body.
fn one_line(answer: &str) -> String {
    let mut lines = answer.lines();
    let status = lines.next().unwrap_or("an empty answer");
    lines
        .next_back()
        .map_or_else(|| status.to_owned(), |last| format!("{status}, {last}"))
}

fn certificate(pem: &str) -> Result<CertificateDer<'static>, Error> {
    CertificateDer::from_pem_slice(pem.as_bytes()).map_err(|error| not_pem(&error))
}

fn not_pem(error: &rustls::pki_types::pem::Error) -> Error {
    Error::Tls(rustls::Error::General(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_quoted_by_its_status_and_its_reason() {
        let answer = "HTTP/1.0 500 Internal Server Error\r\n\r\n[+]ping ok\nreadyz check failed";
        assert_eq!(
            one_line(answer),
            "HTTP/1.0 500 Internal Server Error, readyz check failed"
        );
        assert_eq!(one_line(""), "an empty answer");
    }
}
