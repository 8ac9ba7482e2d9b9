//! Finds, reads and merges kubeconfig files.

use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
};

use kube::config::{Kubeconfig, KubeconfigError};

use super::{environment::Environment, error::ConnectError};

/// What the kubeconfig files say together.
#[derive(Default)]
pub struct Files {
    /// Their merged content.
    pub kubeconfig: Kubeconfig,
    /// The files that were read.
    pub read: Vec<PathBuf>,
    /// The files that would have been read, but aren't there.
    pub missing: Vec<PathBuf>,
}

/// Reads the files that kubectl would read: the one file of the flag, or those of `KUBECONFIG`, or
/// the one in the home folder. Only the flag's file has to exist.
pub fn read(flag: Option<&Path>, environment: &Environment) -> Result<Files, ConnectError> {
    if let Some(path) = flag {
        return match read_file(path)? {
            Some(kubeconfig) => Ok(Files {
                kubeconfig,
                read: vec![path.to_owned()],
                missing: Vec::new(),
            }),
            None => Err(ConnectError::NoSuchKubeconfig(path.to_owned())),
        };
    }
    let mut files = Files::default();
    for path in candidates(environment) {
        match read_file(&path)? {
            Some(next) => {
                files.kubeconfig = merge(files.kubeconfig, next, &path)?;
                files.read.push(path);
            }
            None => files.missing.push(path),
        }
    }
    Ok(files)
}

fn candidates(environment: &Environment) -> Vec<PathBuf> {
    let listed = environment.kubeconfig_list();
    if !listed.is_empty() {
        return listed;
    }
    let home = environment.home.as_deref();
    home.map(|home| home.join(".kube").join("config"))
        .into_iter()
        .collect()
}

fn read_file(path: &Path) -> Result<Option<Kubeconfig>, ConnectError> {
    let mut kubeconfig = match Kubeconfig::read_from(path) {
        Ok(kubeconfig) => kubeconfig,
        Err(KubeconfigError::ReadConfig(error, _)) if error.kind() == ErrorKind::NotFound => {
            return Ok(None);
        }
        Err(error) => return Err(ConnectError::from_kubeconfig(path, &error)),
    };
    // kubectl writes `current-context: ""` for none, which must not win over a later file's.
    kubeconfig.current_context = kubeconfig.current_context.filter(|name| !name.is_empty());
    Ok(Some(kubeconfig))
}

fn merge(first: Kubeconfig, next: Kubeconfig, path: &Path) -> Result<Kubeconfig, ConnectError> {
    first
        .merge(next)
        .map_err(|error| ConnectError::from_kubeconfig(path, &error))
}
