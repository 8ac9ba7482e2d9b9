//! The parts of the process's surroundings that decide about a connection, so that tests can set them.

use std::{
    env,
    ffi::OsString,
    io::{self, IsTerminal},
    path::PathBuf,
};

/// Where a pod finds its service account.
const SERVICE_ACCOUNT: &str = "/var/run/secrets/kubernetes.io/serviceaccount";

/// What the process's environment says.
#[derive(Clone, Debug, Default)]
pub(super) struct Environment {
    /// The list of kubeconfig files.
    pub kubeconfig: Option<OsString>,
    /// The user's home directory.
    pub home: Option<PathBuf>,
    /// The proxy for addresses that begin with `https:`.
    pub https_proxy: Option<String>,
    /// The proxy for addresses that begin with `http:`.
    pub http_proxy: Option<String>,
    /// The hosts for which no proxy is used.
    pub no_proxy: Option<String>,
    /// The namespace that the pod was told to be its own.
    pub pod_namespace: Option<String>,
    /// Whether this is a pod whose service account can be used.
    pub in_cluster: bool,
    /// Whether somebody can be asked.
    pub stdin_is_terminal: bool,
}

impl Environment {
    /// This process's.
    pub fn of_process() -> Self {
        let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
        let token = PathBuf::from(SERVICE_ACCOUNT).join("token");
        Self {
            kubeconfig: env::var_os("KUBECONFIG").filter(|value| !value.is_empty()),
            home: env::home_dir().filter(|path| !path.as_os_str().is_empty()),
            https_proxy: either_case("HTTPS_PROXY"),
            http_proxy: either_case("HTTP_PROXY"),
            no_proxy: either_case("NO_PROXY"),
            pod_namespace: text("POD_NAMESPACE"),
            in_cluster: set("KUBERNETES_SERVICE_HOST")
                && set("KUBERNETES_SERVICE_PORT")
                && token.is_file(),
            stdin_is_terminal: io::stdin().is_terminal(),
        }
    }
}

fn either_case(name: &str) -> Option<String> {
    text(name).or_else(|| text(&name.to_ascii_lowercase()))
}

fn text(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}
