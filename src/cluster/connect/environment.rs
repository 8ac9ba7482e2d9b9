//! The part of the process's surroundings that a connection depends on, as data.

use std::{
    collections::HashMap,
    env,
    ffi::OsString,
    io::{self, IsTerminal},
    path::PathBuf,
};

/// Where Kubernetes mounts a Pod's service account
/// (<https://kubernetes.io/docs/tasks/run-application/access-api-from-pod/>).
const SERVICE_ACCOUNT: &str = "/var/run/secrets/kubernetes.io/serviceaccount";

/// The surroundings of a process.
#[derive(Clone, Default)]
pub struct Environment {
    /// The environment variables.
    pub variables: HashMap<OsString, OsString>,
    /// The home folder.
    pub home: Option<PathBuf>,
    /// The folder of the Pod's service account, which need not exist.
    pub service_account: PathBuf,
    /// Whether somebody could answer a question on the standard input.
    pub is_interactive: bool,
}

impl Environment {
    /// This process's.
    pub fn of_process() -> Self {
        Self {
            variables: env::vars_os().collect(),
            home: env::home_dir(),
            service_account: PathBuf::from(SERVICE_ACCOUNT),
            is_interactive: io::stdin().is_terminal(),
        }
    }

    /// A variable that is set and not empty.
    pub fn variable(&self, name: &str) -> Option<String> {
        let value = self.variables.get(&OsString::from(name))?;
        Some(value.to_str()?.to_owned()).filter(|value| !value.is_empty())
    }

    /// The first of these variables that is set and not empty.
    pub fn any_variable(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| self.variable(name))
    }

    /// The files that `KUBECONFIG` lists; none if it is unset or empty.
    pub fn kubeconfig_list(&self) -> Vec<PathBuf> {
        let Some(list) = self.variables.get(&OsString::from("KUBECONFIG")) else {
            return Vec::new();
        };
        env::split_paths(list)
            .filter(|path| !path.as_os_str().is_empty())
            .collect()
    }
}
