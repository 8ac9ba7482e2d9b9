//! kubectl's connection flags, with kubectl's spelling: kubectl refuses flags before a plugin's
//! name, so a plugin has them all itself.

use std::{path::PathBuf, time::Duration};

use clap::Args;
use secrecy::SecretString;

use super::values;

/// kubectl's connection flags.
#[derive(Args)]
#[command(next_help_heading = "Connection options")]
pub struct KubeFlags {
    /// Path to the kubeconfig file to use for CLI requests
    #[arg(long, value_name = "FILE", global = true, hide_short_help = true)]
    pub kubeconfig: Option<PathBuf>,
    /// The name of the kubeconfig context to use
    #[arg(long, value_name = "NAME", global = true)]
    pub context: Option<String>,
    /// The name of the kubeconfig cluster to use
    #[arg(long, value_name = "NAME", global = true, hide_short_help = true)]
    pub cluster: Option<String>,
    /// The name of the kubeconfig user to use
    #[arg(long, value_name = "NAME", global = true, hide_short_help = true)]
    pub user: Option<String>,
    /// The namespace scope for this CLI request, where one matters
    #[arg(
        short,
        long,
        value_name = "NAME",
        global = true,
        hide_short_help = true
    )]
    pub namespace: Option<String>,
    /// The address and port of the Kubernetes API server
    #[arg(short, long, value_name = "URL", global = true, hide_short_help = true)]
    pub server: Option<String>,
    /// Username to impersonate for the operation
    #[arg(
        long = "as",
        value_name = "USER",
        global = true,
        hide_short_help = true
    )]
    pub impersonate: Option<String>,
    /// Group to impersonate for the operation; may be repeated
    #[arg(
        long = "as-group",
        value_name = "GROUP",
        global = true,
        hide_short_help = true
    )]
    pub impersonate_groups: Vec<String>,
    /// UID to impersonate for the operation
    #[arg(
        long = "as-uid",
        value_name = "UID",
        global = true,
        hide_short_help = true
    )]
    pub impersonate_uid: Option<String>,
    /// User extra to impersonate for the operation; may be repeated, also for one key
    #[arg(
        long = "as-user-extra",
        value_name = "KEY=VALUE",
        global = true,
        hide_short_help = true,
        value_parser = values::key_value
    )]
    pub impersonate_extra: Vec<(String, String)>,
    /// The length of time to wait before giving up on a single server request, such as 1s, 2m, 3h.
    /// Zero means no limit of the user's; watches are never cut
    #[arg(
        long,
        value_name = "TIME",
        global = true,
        hide_short_help = true,
        default_value = "0",
        value_parser = values::duration
    )]
    pub request_timeout: Duration,
    /// Bearer token for authentication to the API server
    #[arg(long, value_name = "TOKEN", global = true, hide_short_help = true, value_parser = values::secret)]
    pub token: Option<SecretString>,
    /// Username for basic authentication to the API server
    #[arg(long, value_name = "NAME", global = true, hide_short_help = true)]
    pub username: Option<String>,
    /// Password for basic authentication to the API server
    #[arg(long, value_name = "PASSWORD", global = true, hide_short_help = true, value_parser = values::secret)]
    pub password: Option<SecretString>,
    /// Server name to use for server certificate validation; by default the server's hostname
    #[arg(long, value_name = "NAME", global = true, hide_short_help = true)]
    pub tls_server_name: Option<String>,
    /// Don't check the server's certificate: this makes your HTTPS connections insecure
    #[arg(
        long,
        value_name = "BOOL",
        global = true,
        hide_short_help = true,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    pub insecure_skip_tls_verify: Option<bool>,
    /// Path to a cert file for the certificate authority
    #[arg(long, value_name = "FILE", global = true, hide_short_help = true)]
    pub certificate_authority: Option<PathBuf>,
    /// Path to a client certificate file for TLS
    #[arg(long, value_name = "FILE", global = true, hide_short_help = true)]
    pub client_certificate: Option<PathBuf>,
    /// Path to a client key file for TLS
    #[arg(long, value_name = "FILE", global = true, hide_short_help = true)]
    pub client_key: Option<PathBuf>,
    /// Accepted for kubectl's sake: this program keeps no cache
    #[arg(long, value_name = "DIR", global = true, hide_short_help = true)]
    pub cache_dir: Option<PathBuf>,
    /// Opt out of response compression for all requests to the server
    #[arg(
        long,
        value_name = "BOOL",
        global = true,
        hide_short_help = true,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    pub disable_compression: Option<bool>,
}
