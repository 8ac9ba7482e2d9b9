//! Why there is no client: what failed, where, why, and what to do next.

use std::{
    io,
    path::{Path, PathBuf},
};

use kube::config::KubeconfigError;

use super::{unknown::Unknown, unreadable};

/// A connection that can't even be tried.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// Nothing says which cluster is meant.
    #[error(
        "no cluster is configured: {}; set KUBECONFIG, or pass --kubeconfig or --server",
        looked_for(.0)
    )]
    NoConfiguration(Vec<PathBuf>),
    /// `--kubeconfig` names a file that isn't there.
    #[error("there is no kubeconfig at {}; check --kubeconfig", .0.display())]
    NoSuchKubeconfig(PathBuf),
    /// A kubeconfig can't be read.
    #[error("the kubeconfig {} can't be read: {reason}", .path.display())]
    UnreadableKubeconfig {
        /// The file.
        path: PathBuf,
        /// Why, without anything that the file says.
        reason: String,
    },
    /// The kubeconfig has no current context.
    #[error("no current context is set in {}; {}", paths(files), choices(contexts))]
    NoCurrentContext {
        /// The files that were read.
        files: Vec<PathBuf>,
        /// The contexts that they hold.
        contexts: Vec<String>,
    },
    /// A context, cluster or user that doesn't exist.
    #[error(transparent)]
    Unknown(#[from] Unknown),
    /// The cluster has no address.
    #[error("{} has no server; pass --server", cluster_of(.0.as_ref()))]
    NoServer(Option<String>),
    /// The server's address can't be understood.
    #[error("the server {server:?} is not an address: {reason}")]
    BadServer {
        /// The address.
        server: String,
        /// Why.
        reason: String,
    },
    /// The proxy's address can't be understood.
    #[error("{0} is not the address of a proxy: it must be an http://, https:// or socks5:// URL")]
    BadProxy(&'static str),
    /// An authority together with the wish not to verify.
    #[error(
        "specifying a root certificates file with the insecure flag is not allowed; do without one of them"
    )]
    InsecureWithAuthority,
    /// A certificate without a key.
    #[error("a client certificate needs its key; pass --client-key as well")]
    NoClientKey,
    /// A key without a certificate.
    #[error("a client key needs its certificate; pass --client-certificate as well")]
    NoClientCertificate,
    /// A token together with a user name.
    #[error("--token and --username can't be used together")]
    TwoCredentials,
    /// A group, uid or extra to act with, but nobody to act as.
    #[error("requesting uid, groups or user-extra without impersonating a user; pass --as as well")]
    NobodyToImpersonate,
    /// The token can't be sent.
    #[error("the token holds characters that no token can have, such as a line break")]
    BadToken,
    /// A path that the client can't hold.
    #[error("the path {} is not valid UTF-8", .0.display())]
    PathNotUnicode(PathBuf),
    /// Base64 data that isn't.
    #[error("the kubeconfig's {0}-data is not base64")]
    NotBase64(&'static str),
    /// Neither a certificate nor a key where one should be.
    #[error("{what}: {place} holds no such thing in PEM form")]
    NotPem {
        /// What should be there.
        what: &'static str,
        /// Where.
        place: String,
    },
    /// A file that flags or the kubeconfig name can't be read.
    #[error("{what}: {} can't be read: {source}", .path.display())]
    Unreadable {
        /// What the file is for.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The credential plugin can't be told about the cluster.
    #[error("the credential plugin can't be told about the cluster: {0}")]
    ClusterForPlugin(#[source] KubeconfigError),
    /// The credential plugin gave no credentials.
    #[error("the credential plugin {command:?} {reason}")]
    Plugin {
        /// The command.
        command: String,
        /// What it did, and how to install it if that is the trouble.
        reason: String,
    },
    /// The client can't be made.
    #[error("the connection can't be set up: {0}")]
    Client(String),
}

impl ConnectError {
    /// Why the kubeconfig at `path` can't be used.
    pub(super) fn from_kubeconfig(path: &Path, error: &KubeconfigError) -> Self {
        Self::UnreadableKubeconfig {
            path: path.to_owned(),
            reason: unreadable::reason(error),
        }
    }
}

/// Several paths in one line.
pub fn paths(paths: &[PathBuf]) -> String {
    let paths: Vec<String> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    paths.join(", ")
}

fn looked_for(missing: &[PathBuf]) -> String {
    if missing.is_empty() {
        "neither KUBECONFIG nor a home folder is set".to_owned()
    } else {
        format!("there is no kubeconfig at {}", paths(missing))
    }
}

fn choices(contexts: &[String]) -> String {
    if contexts.is_empty() {
        "it holds no contexts; pass --server, or another --kubeconfig".to_owned()
    } else {
        format!("pass --context with one of: {}", contexts.join(", "))
    }
}

fn cluster_of(context: Option<&String>) -> String {
    match context {
        Some(context) => format!("the cluster of the context {context:?}"),
        None => "the cluster".to_owned(),
    }
}
