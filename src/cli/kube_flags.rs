//! The flags that say which API server is meant and who asks: kubectl's, in spelling and meaning.
//!
//! kubectl refuses flags before a plugin's name, so each of them is accepted anywhere after it.

use std::{path::PathBuf, time::Duration};

use clap::{ArgAction, Args};
use secrecy::SecretString;

use super::values::{any_path, boolean, key_value, secret, timeout};

/// kubectl's connection flags.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Connection options")]
pub struct KubeFlags {
    /// Path to the kubeconfig file to use; $KUBECONFIG is not read then.
    #[arg(long, global = true, value_name = "FILE", value_parser = any_path())]
    pub kubeconfig: Option<PathBuf>,
    /// The name of the kubeconfig context to use.
    #[arg(long, global = true, value_name = "NAME")]
    pub context: Option<String>,
    /// The namespace to use where a command needs one; rules name theirs.
    #[arg(short, long, global = true, value_name = "NAME")]
    pub namespace: Option<String>,
    /// The name of the kubeconfig cluster to use.
    #[arg(long, global = true, hide_short_help = true, value_name = "NAME")]
    pub cluster: Option<String>,
    /// The name of the kubeconfig user to use.
    #[arg(long, global = true, hide_short_help = true, value_name = "NAME")]
    pub user: Option<String>,
    /// The address and port of the Kubernetes API server.
    #[arg(
        short,
        long,
        global = true,
        hide_short_help = true,
        value_name = "ADDRESS"
    )]
    pub server: Option<String>,
    /// Username to impersonate for the operation: a regular user or a service account.
    #[arg(
        long = "as",
        global = true,
        hide_short_help = true,
        value_name = "USER"
    )]
    pub impersonate: Option<String>,
    /// Group to impersonate for the operation; repeat the flag for several groups.
    #[arg(
        long = "as-group",
        global = true,
        hide_short_help = true,
        value_name = "GROUP"
    )]
    pub impersonate_groups: Vec<String>,
    /// UID to impersonate for the operation.
    #[arg(
        long = "as-uid",
        global = true,
        hide_short_help = true,
        value_name = "UID"
    )]
    pub impersonate_uid: Option<String>,
    /// User extra to impersonate for the operation; repeat the flag for several values or keys.
    #[arg(long = "as-user-extra", global = true, hide_short_help = true,
          value_name = "KEY=VALUE", value_parser = key_value)]
    pub impersonate_extras: Vec<(String, String)>,
    /// How long to wait for a single answer, with a unit (1s, 2m, 3h); 0 means kubectl-copyrator's
    /// own limits.
    #[arg(long, global = true, hide_short_help = true, value_name = "DURATION",
          default_value = "0", value_parser = timeout)]
    pub request_timeout: Duration,
    /// Bearer token for authentication to the API server.
    #[arg(long, global = true, hide_short_help = true, value_name = "TOKEN", value_parser = secret)]
    pub token: Option<SecretString>,
    /// Username for basic authentication to the API server.
    #[arg(long, global = true, hide_short_help = true, value_name = "NAME")]
    pub username: Option<String>,
    /// Password for basic authentication to the API server.
    #[arg(long, global = true, hide_short_help = true, value_name = "PASSWORD", value_parser = secret)]
    pub password: Option<SecretString>,
    /// Path to a client certificate file for TLS.
    #[arg(long, global = true, hide_short_help = true, value_name = "FILE", value_parser = any_path())]
    pub client_certificate: Option<PathBuf>,
    /// Path to a client key file for TLS.
    #[arg(long, global = true, hide_short_help = true, value_name = "FILE", value_parser = any_path())]
    pub client_key: Option<PathBuf>,
    /// Path to a file with the certificates of the authorities that the API server's is checked against.
    #[arg(long, global = true, hide_short_help = true, value_name = "FILE", value_parser = any_path())]
    pub certificate_authority: Option<PathBuf>,
    /// Server name to check the API server's certificate for, in place of the address's.
    #[arg(long, global = true, hide_short_help = true, value_name = "NAME")]
    pub tls_server_name: Option<String>,
    /// Don't check the API server's certificate. This makes the connection insecure.
    #[arg(long, global = true, hide_short_help = true, value_name = "true|false",
          num_args = 0..=1, require_equals = true, default_missing_value = "true",
          default_value = "false", hide_default_value = true, action = ArgAction::Set,
          value_parser = boolean)]
    pub insecure_skip_tls_verify: bool,
    /// Ask for uncompressed answers.
    #[arg(long, global = true, hide_short_help = true, value_name = "true|false",
          num_args = 0..=1, require_equals = true, default_missing_value = "true",
          default_value = "false", hide_default_value = true, action = ArgAction::Set,
          value_parser = boolean)]
    pub disable_compression: bool,
    /// Where answers of providers of exchange rates are kept, to ask no more often than needed.
    #[arg(long, global = true, hide_short_help = true, value_name = "DIRECTORY", value_parser = any_path())]
    pub cache_dir: Option<PathBuf>,
    /// Tell more on standard error: 1 and up every object, 6 and up every request; never what a Secret
    /// holds.
    #[arg(
        short = 'v',
        long = "v",
        global = true,
        hide_short_help = true,
        value_name = "LEVEL",
        default_value_t = 0
    )]
    pub verbosity: u8,
}
