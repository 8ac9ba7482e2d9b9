//! A certificate authority of the test's own, and servers that it signs for.

use std::{path::PathBuf, sync::Arc};

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{ServerConfig, crypto::ring, pki_types::PrivatePkcs8KeyDer},
};

/// An authority, with its certificate in a file.
pub struct Certificates {
    issuer: Issuer<'static, KeyPair>,
    folder: tempfile::TempDir,
}

impl Certificates {
    /// A new authority, which nobody trusts yet.
    pub fn new() -> Self {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::new(Vec::new()).expect("no names");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let certificate = params.self_signed(&key).expect("a certificate");
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("ca.crt"), certificate.pem()).expect("a file");
        Self {
            issuer: Issuer::new(params, key),
            folder,
        }
    }

    /// The file with the authority's certificate.
    pub fn authority(&self) -> PathBuf {
        self.folder.path().join("ca.crt")
    }

    /// What a server needs to be this machine's, and `rates.example`.
    pub fn acceptor(&self) -> TlsAcceptor {
        self.acceptor_for(&["127.0.0.1", "localhost", "rates.example"])
    }

    /// What a server needs to be these.
    pub fn acceptor_for(&self, names: &[&str]) -> TlsAcceptor {
        let key = KeyPair::generate().expect("a key");
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        let params = CertificateParams::new(names).expect("valid names");
        let certificate = params.signed_by(&key, &self.issuer).expect("a certificate");
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("ring has what TLS needs")
            .with_no_client_auth();
        let key = PrivatePkcs8KeyDer::from(key.serialize_der());
        let config = config.with_single_cert(vec![certificate.der().clone()], key.into());
        TlsAcceptor::from(Arc::new(config.expect("the key fits the certificate")))
    }
}
