//! Finds, reads and merges the kubeconfig files.

use std::{
    env, io,
    path::{Path, PathBuf},
};

use kube::config::{Kubeconfig, KubeconfigError};

use super::{ConnectError, environment::Environment};

/// The kubeconfig files, merged.
#[derive(Debug, Default)]
pub(super) struct Loaded {
    /// What they say together.
    pub kubeconfig: Kubeconfig,
    /// Those that were read.
    pub found: Vec<PathBuf>,
    /// Those that aren't there.
    pub missing: Vec<PathBuf>,
}

/// Reads the file that was named, or else those that the environment names. As in kubectl, a file
/// that was named must be there; of the others, some may be missing.
pub(super) fn load(
    explicit: Option<&Path>,
    environment: &Environment,
) -> Result<Loaded, ConnectError> {
    if let Some(path) = explicit {
        let kubeconfig = read(path)?.ok_or_else(|| not_there(path))?;
        return Ok(Loaded {
            kubeconfig,
            found: vec![path.to_owned()],
            missing: Vec::new(),
        });
    }
    let mut loaded = Loaded::default();
    for path in candidates(environment) {
        match read(&path)? {
            Some(next) => loaded.merge(next, path)?,
            None => loaded.missing.push(path),
        }
    }
    Ok(loaded)
}

impl Loaded {
    fn merge(&mut self, next: Kubeconfig, path: PathBuf) -> Result<(), ConnectError> {
        let merged = std::mem::take(&mut self.kubeconfig).merge(next);
        self.kubeconfig = merged.map_err(|error| ConnectError::UnmergeableKubeconfig {
            path: path.clone(),
            problem: error.to_string(),
        })?;
        self.found.push(path);
        Ok(())
    }

    /// The files that were read, for messages.
    pub fn files(&self) -> String {
        join(&self.found)
    }

    /// What was looked for when there is nothing to use.
    pub fn looked_for(&self) -> String {
        match (self.found.as_slice(), self.missing.as_slice()) {
            ([], []) => "$KUBECONFIG is not set, and there is no home directory".to_owned(),
            ([], missing) => format!("{} does not exist", join(missing)),
            (found, _) => format!("{} names no cluster", join(found)),
        }
    }
}

fn join(paths: &[PathBuf]) -> String {
    let names: Vec<String> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    names.join(", ")
}

fn candidates(environment: &Environment) -> Vec<PathBuf> {
    let Some(list) = &environment.kubeconfig else {
        let home = environment.home.as_ref();
        return home
            .map(|home| home.join(".kube/config"))
            .into_iter()
            .collect();
    };
    let mut paths: Vec<PathBuf> = Vec::new();
    for path in env::split_paths(list) {
        if !path.as_os_str().is_empty() && !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths
}

fn not_there(path: &Path) -> ConnectError {
    ConnectError::UnreadableFile {
        what: "kubeconfig",
        path: path.to_owned(),
        source: io::Error::new(io::ErrorKind::NotFound, "there is no such file"),
    }
}

fn read(path: &Path) -> Result<Option<Kubeconfig>, ConnectError> {
    match Kubeconfig::read_from(path) {
        Ok(mut kubeconfig) => {
            // kubectl writes an empty text when it unsets the context, and a later file may set it.
            kubeconfig.current_context = kubeconfig.current_context.filter(|name| !name.is_empty());
            Ok(Some(kubeconfig))
        }
        Err(KubeconfigError::ReadConfig(source, _)) if source.kind() == io::ErrorKind::NotFound => {
            Ok(None)
        }
        Err(KubeconfigError::ReadConfig(source, _)) => Err(ConnectError::UnreadableFile {
            what: "kubeconfig",
            path: path.to_owned(),
            source,
        }),
        Err(error) => Err(ConnectError::InvalidKubeconfig {
            path: path.to_owned(),
            problem: problem(&error),
        }),
    }
}

fn problem(error: &KubeconfigError) -> String {
    match error {
        // Without the lines around the mistake: they may hold a token.
        KubeconfigError::Parse(error) => error.without_snippet().to_string(),
        error => error.to_string(),
    }
}
