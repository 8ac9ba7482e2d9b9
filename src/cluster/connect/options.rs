//! What the user said about the connection.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use secrecy::SecretString;

/// What the user said; whatever is absent comes from the kubeconfig or the pod's surroundings.
#[derive(Clone, Debug, Default)]
pub struct ConnectOptions {
    /// The only kubeconfig file to read.
    pub kubeconfig: Option<PathBuf>,
    /// The context to use in place of the current one.
    pub context: Option<String>,
    /// The cluster to use in place of the context's.
    pub cluster: Option<String>,
    /// The user to be in place of the context's.
    pub user: Option<String>,
    /// The default namespace in place of the context's.
    pub namespace: Option<String>,
    /// The API server's address.
    pub server: Option<String>,
    /// The name that the API server's certificate is checked for.
    pub tls_server_name: Option<String>,
    /// Whether the API server's certificate isn't checked.
    pub insecure_skip_tls_verify: bool,
    /// The file with the authorities that the API server's certificate is checked against.
    pub certificate_authority: Option<PathBuf>,
    /// The file with the client certificate.
    pub client_certificate: Option<PathBuf>,
    /// The file with the client certificate's key.
    pub client_key: Option<PathBuf>,
    /// The bearer token.
    pub token: Option<SecretString>,
    /// The user name of basic authentication.
    pub username: Option<String>,
    /// The password of basic authentication.
    pub password: Option<SecretString>,
    /// Who to act as.
    pub impersonation: Impersonation,
    /// The longest that a single request may take.
    pub request_timeout: Option<Duration>,
    /// Whether answers are asked for uncompressed.
    pub disable_compression: bool,
}

/// Who to act as.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Impersonation {
    /// The user's name.
    pub user: Option<String>,
    /// The user's uid.
    pub uid: Option<String>,
    /// The user's groups.
    pub groups: Vec<String>,
    /// The user's extra attributes.
    pub extras: BTreeMap<String, Vec<String>>,
}

impl Impersonation {
    /// Whether there is anything that only means something together with a user.
    pub(super) fn has_details(&self) -> bool {
        self.uid.is_some() || !self.groups.is_empty() || !self.extras.is_empty()
    }
}
