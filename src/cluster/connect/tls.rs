//! The certificates that a connection needs, read and checked before anything is sent.

use std::{fs, path::PathBuf};

use base64::{Engine, engine::general_purpose::STANDARD};
use kube::config::{AuthInfo, Cluster};
use secrecy::ExposeSecret;

use super::{credentials::is_no_path, error::ConnectError};

const CERTIFICATE: &str = "CERTIFICATE";

/// The certificates of the cluster's authority, in DER; none means the system's authorities.
pub fn authority(cluster: &Cluster) -> Result<Option<Vec<Vec<u8>>>, ConnectError> {
    let data = cluster.certificate_authority_data.as_deref();
    let material = Material {
        what: "certificate-authority",
        data: data.filter(|data| !data.is_empty()),
        file: cluster
            .certificate_authority
            .as_deref()
            .filter(|file| !is_no_path(file)),
    };
    let Some(bytes) = material.read()? else {
        return Ok(None);
    };
    let blocks = pem::parse_many(bytes).map_err(|_| material.malformed())?;
    let certificates = blocks
        .into_iter()
        .filter(|block| block.tag() == CERTIFICATE);
    let certificates: Vec<Vec<u8>> = certificates.map(pem::Pem::into_contents).collect();
    if certificates.is_empty() {
        return Err(material.malformed());
    }
    Ok(Some(certificates))
}

/// Checks that the client's certificate and key can be read, and come together.
pub fn check_client_certificate(user: &AuthInfo) -> Result<(), ConnectError> {
    let certificate = Material {
        what: "client-certificate",
        data: user.client_certificate_data.as_deref(),
        file: user.client_certificate.as_deref(),
    };
    let key = Material {
        what: "client-key",
        data: user
            .client_key_data
            .as_ref()
            .map(ExposeSecret::expose_secret),
        file: user.client_key.as_deref(),
    };
    match (certificate.read()?, key.read()?) {
        (None, None) => Ok(()),
        (Some(_), None) => Err(ConnectError::NoClientKey),
        (None, Some(_)) => Err(ConnectError::NoClientCertificate),
        (Some(found), Some(found_key)) => {
            certificate.must_hold(&found, &[CERTIFICATE])?;
            key.must_hold(
                &found_key,
                &["PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"],
            )
        }
    }
}

/// Something in PEM that a kubeconfig holds itself or names a file for.
struct Material<'a> {
    what: &'static str,
    data: Option<&'a str>,
    file: Option<&'a str>,
}

impl Material<'_> {
    fn read(&self) -> Result<Option<Vec<u8>>, ConnectError> {
        if let Some(data) = self.data {
            return match STANDARD.decode(data) {
                Ok(bytes) => Ok(Some(bytes)),
                Err(_) => Err(ConnectError::NotBase64(self.what)),
            };
        }
        let Some(file) = self.file else {
            return Ok(None);
        };
        match fs::read(file) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(source) => Err(ConnectError::Unreadable {
                what: self.what,
                path: PathBuf::from(file),
                source,
            }),
        }
    }

    fn must_hold(&self, bytes: &[u8], tags: &[&str]) -> Result<(), ConnectError> {
        let blocks = pem::parse_many(bytes).map_err(|_| self.malformed())?;
        if blocks.iter().any(|block| tags.contains(&block.tag())) {
            Ok(())
        } else {
            Err(self.malformed())
        }
    }

    fn malformed(&self) -> ConnectError {
        ConnectError::NotPem {
            what: self.what,
            place: match (self.data, self.file) {
                (None, Some(file)) => file.to_owned(),
                _ => "the kubeconfig's data".to_owned(),
            },
        }
    }
}
