//! Why there is no client: what failed, where, why, and what to do next.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use kube::{
    client::AuthError,
    config::{ExecConfig, KubeconfigError},
};

/// A connection that can't even be tried.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// Nothing says which cluster is meant.
    #[error(
        "no cluster is configured: looked for {}; set KUBECONFIG, or pass --kubeconfig or --server",
        paths(.0)
    )]
    NoConfiguration(Vec<PathBuf>),
    /// `--kubeconfig` names a file that isn't there.
    #[error("there is no kubeconfig at {}", .0.display())]
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
    #[error(
        "no current context is set in {}; pass --context, one of: {}",
        paths(files), contexts.join(", ")
    )]
    NoCurrentContext {
        /// The files that were read.
        files: Vec<PathBuf>,
        /// The contexts that they hold.
        contexts: Vec<String>,
    },
    /// A context, cluster or user that doesn't exist.
    #[error(transparent)]
    Unknown(Unknown),
    /// The cluster has no address.
    #[error("{} names no server; pass --server", match .0 {
        Some(context) => format!("the cluster of the context {context:?}"),
        None => "the cluster".to_owned(),
    })]
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
    #[error("specifying a root certificates file with the insecure flag is not allowed")]
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

/// Something that the kubeconfig doesn't hold.
#[derive(Debug, thiserror::Error)]
pub struct Unknown {
    kind: &'static str,
    name: String,
    known: Vec<String>,
    files: Vec<PathBuf>,
}

impl Unknown {
    /// A `kind` called `name`, which is not one of `known`.
    pub fn new(kind: &'static str, name: &str, known: Vec<String>, files: Vec<PathBuf>) -> Self {
        Self {
            kind,
            name: name.to_owned(),
            known,
            files,
        }
    }

    fn nearest(&self) -> Option<&String> {
        let near = |known: &&String| strsim::jaro_winkler(known, &self.name) > 0.8;
        self.known.iter().find(near)
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kind,
            name,
            known,
            files,
        } = self;
        write!(formatter, "{kind} {name:?} does not exist")?;
        if !files.is_empty() {
            write!(formatter, " in {}", paths(files))?;
        }
        if let Some(nearest) = self.nearest() {
            write!(formatter, "; did you mean {nearest:?}?")?;
        }
        match known.as_slice() {
            [] => write!(formatter, " (there are no {kind}s)"),
            known => write!(formatter, " ({kind}s: {})", known.join(", ")),
        }
    }
}

impl ConnectError {
    /// Why the kubeconfig at `path` can't be used.
    pub(super) fn from_kubeconfig(path: &Path, error: KubeconfigError) -> Self {
        let reason = match error {
            KubeconfigError::ReadConfig(error, _) => error.to_string(),
            KubeconfigError::Parse(error) => match error.location() {
                Some(place) => format!("line {}, column {}", place.line(), place.column()),
                None => "it is not valid YAML".to_owned(),
            },
            error => error.to_string(),
        };
        Self::UnreadableKubeconfig {
            path: path.to_owned(),
            reason,
        }
    }

    /// Why the client can't be made, or its credential plugin be run.
    pub(super) fn from_client(plugin: Option<&ExecConfig>, error: kube::Error) -> Self {
        match (error, plugin) {
            (kube::Error::Auth(error), Some(plugin)) => Self::from_plugin(plugin, &error),
            (error, _) => Self::Client(error.to_string()),
        }
    }

    fn from_plugin(plugin: &ExecConfig, error: &AuthError) -> Self {
        let reason = match error {
            AuthError::AuthExecStart(error) => format!("can't be run: {error}"),
            AuthError::AuthExecRun { out, .. } => format!("failed with {}", out.status),
            _ => "gave no credentials that can be read".to_owned(),
        };
        let command = plugin.command.clone().unwrap_or_default();
        let hint = plugin.install_hint.as_deref().unwrap_or_default().trim();
        let reason = if hint.is_empty() {
            reason
        } else {
            format!("{reason}\n{hint}")
        };
        Self::Plugin { command, reason }
    }
}

fn paths(paths: &[PathBuf]) -> String {
    let paths: Vec<String> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    paths.join(", ")
}
