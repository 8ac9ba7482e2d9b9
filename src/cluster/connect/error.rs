//! Why there is no connection, with what to do about it.

use std::{io, path::PathBuf};

/// Why the options, the kubeconfig and the surroundings make no connection.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// Nothing says where the API server is.
    #[error(
        "no cluster to connect to: {looked_for}, and this is not a pod with a service account; \
         name a kubeconfig with --kubeconfig or $KUBECONFIG, or an API server with --server"
    )]
    NoConfiguration {
        /// The kubeconfig files that were tried, and what came of it.
        looked_for: String,
    },
    /// A file can't be read.
    #[error("cannot read the {what} {}: {source}", path.display())]
    UnreadableFile {
        /// What the file is for.
        what: &'static str,
        /// Its path.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A kubeconfig isn't valid.
    #[error("the kubeconfig {} is not valid: {problem}", path.display())]
    InvalidKubeconfig {
        /// Its path.
        path: PathBuf,
        /// What is wrong, and where.
        problem: String,
    },
    /// Kubeconfigs that don't fit together.
    #[error("the kubeconfig {} does not fit to those before it in $KUBECONFIG: {problem}", path.display())]
    UnmergeableKubeconfig {
        /// The file at which it shows.
        path: PathBuf,
        /// What doesn't fit.
        problem: String,
    },
    /// No context is current, and none was named.
    #[error("no context is current in {files}; choose one with --context: {known}")]
    NoCurrentContext {
        /// The files.
        files: String,
        /// The contexts that there are.
        known: String,
    },
    /// A context, cluster or user that nothing defines.
    #[error("{kind} {name:?} does not exist in {files}; {wanted_by}there are: {known}")]
    Unknown {
        /// `context`, `cluster` or `user`.
        kind: &'static str,
        /// The name.
        name: String,
        /// The files.
        files: String,
        /// What names it, when that isn't the user.
        wanted_by: String,
        /// The names that there are.
        known: String,
    },
    /// A cluster without an address.
    #[error("cluster {0:?} has no server; give its address with --server")]
    NoServer(String),
    /// An address that isn't one.
    #[error(
        "{value:?} is no address of an API server, such as https://example.org:6443: {problem}"
    )]
    InvalidServer {
        /// What was given.
        value: String,
        /// What is wrong.
        problem: String,
    },
    /// Both a check of the server's certificate and no check.
    #[error(
        "specifying a root certificates file with the insecure flag is not allowed; \
         leave out one of certificate-authority and insecure-skip-tls-verify"
    )]
    InsecureWithAuthority,
    /// Certificates that can't be used.
    #[error("the {what} can't be used: {problem}")]
    InvalidCertificate {
        /// Which, and where it comes from.
        what: String,
        /// What is wrong.
        problem: String,
    },
    /// A certificate without its key, or a key without its certificate.
    #[error("a client certificate needs its key: {missing} is missing")]
    IncompleteClientCertificate {
        /// What to give.
        missing: &'static str,
    },
    /// Two ways to say who one is.
    #[error("username and token are both set, but only one of them can be sent")]
    TokenAndUsername,
    /// A user name without a password.
    #[error("basic authentication needs both a username and a password: {0} is missing")]
    IncompleteBasicAuthentication(&'static str),
    /// Details of a user to act as, but no such user.
    #[error(
        "requesting uid, groups or user-extra without impersonating a user is not allowed; \
         name the user with --as"
    )]
    ImpersonationWithoutUser,
    /// A proxy that can't be used.
    #[error("the proxy {proxy:?} from {origin} can't be used: {problem}")]
    InvalidProxy {
        /// The proxy's address, without any password.
        proxy: String,
        /// Where it was said.
        origin: &'static str,
        /// What is wrong.
        problem: String,
    },
    /// A credential plugin that isn't there.
    #[error("the credential plugin {command:?} of user {user:?} is not installed{}", hint(install_hint.as_deref()))]
    PluginNotFound {
        /// The command.
        command: String,
        /// The kubeconfig's user.
        user: String,
        /// What the kubeconfig says about how to get it.
        install_hint: Option<String>,
    },
    /// A credential plugin that failed.
    #[error("the credential plugin {command:?} of user {user:?} {problem}{}", hint(install_hint.as_deref()))]
    PluginFailed {
        /// The command.
        command: String,
        /// The kubeconfig's user.
        user: String,
        /// What happened.
        problem: String,
        /// What the kubeconfig says about how to get it.
        install_hint: Option<String>,
    },
    /// The pod's service account can't be used.
    #[error("cannot use the pod's service account: {0}")]
    InCluster(#[source] kube::config::InClusterError),
    /// Something in the configuration that the client refuses.
    #[error("cannot set up a client for {server}: {source}")]
    Client {
        /// The API server.
        server: String,
        /// What is wrong.
        source: Box<kube::Error>,
    },
}

fn hint(hint: Option<&str>) -> String {
    hint.map_or_else(String::new, |hint| format!("\n\n{}", hint.trim_end()))
}
