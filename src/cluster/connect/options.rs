//! What the connection flags say.

use std::{path::PathBuf, time::Duration};

use secrecy::SecretString;

/// The connection flags that kubectl's commands have in common; an absent one changes nothing.
#[derive(Clone, Default)]
pub struct ConnectOptions {
    /// `--kubeconfig`: the only kubeconfig to read.
    pub kubeconfig: Option<PathBuf>,
    /// `--context`
    pub context: Option<String>,
    /// `--cluster`
    pub cluster: Option<String>,
    /// `--user`
    pub user: Option<String>,
    /// `--namespace`
    pub namespace: Option<String>,
    /// `--server`
    pub server: Option<String>,
    /// `--as`, `--as-uid`, `--as-group` and `--as-user-extra`
    pub impersonate: Impersonation,
    /// `--token`
    pub token: Option<SecretString>,
    /// `--username`
    pub username: Option<String>,
    /// `--password`
    pub password: Option<SecretString>,
    /// `--tls-server-name`
    pub tls_server_name: Option<String>,
    /// `--insecure-skip-tls-verify`
    pub insecure_skip_tls_verify: Option<bool>,
    /// `--certificate-authority`
    pub certificate_authority: Option<PathBuf>,
    /// `--client-certificate`
    pub client_certificate: Option<PathBuf>,
    /// `--client-key`
    pub client_key: Option<PathBuf>,
    /// `--disable-compression`
    pub disable_compression: Option<bool>,
    /// `--request-timeout`; zero means none.
    pub request_timeout: Option<Duration>,
}

/// Whom to act as.
#[derive(Clone, Default)]
pub struct Impersonation {
    /// `--as`
    pub user: Option<String>,
    /// `--as-uid`
    pub uid: Option<String>,
    /// `--as-group`
    pub groups: Vec<String>,
    /// `--as-user-extra`: a key may come several times.
    pub extra: Vec<(String, String)>,
}

impl ConnectOptions {
    /// Whether the flags themselves name a cluster, so that it can't be the one we may run in.
    pub(super) fn names_a_cluster(&self) -> bool {
        self.kubeconfig.is_some()
            || self.context.is_some()
            || self.cluster.is_some()
            || self.user.is_some()
            || self.server.is_some()
    }

    /// Whether the flags themselves bring credentials.
    pub(super) fn has_credentials(&self) -> bool {
        self.token.is_some() || self.username.is_some() || self.client_certificate.is_some()
    }

    pub(super) fn request_timeout(&self) -> Option<Duration> {
        self.request_timeout.filter(|timeout| !timeout.is_zero())
    }
}
