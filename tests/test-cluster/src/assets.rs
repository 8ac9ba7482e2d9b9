//! Where the binaries come from: `KUBEBUILDER_ASSETS`, or built into the user's cache.

use std::env;
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::cache::{Cache, Scrutiny};
use crate::components::{
    COMPONENTS, CONTROLLER_MANAGER, Component, ETCD, KUBERNETES, Module, Role,
};
use crate::digest;
use crate::error::Error;
use crate::go_build;
use crate::output::{self, Step};

/// The variable that names a folder of binaries, as envtest and its tools use it.
pub const ASSETS_VARIABLE: &str = "KUBEBUILDER_ASSETS";

/// What the binaries are wanted for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Purpose {
    pub(crate) controllers: bool,
    pub(crate) nodes: bool,
}

/// A cluster with everything.
const EVERYTHING: Purpose = Purpose {
    controllers: true,
    nodes: true,
};

impl Purpose {
    /// What has to be built. The controllers are built even where they aren't started: most
    /// clusters have them.
    fn built(self) -> Vec<&'static Component> {
        let wanted = |component: &&Component| self.nodes || component.role == Role::ControlPlane;
        COMPONENTS.iter().filter(wanted).collect()
    }

    /// What has to be in a folder of somebody else's.
    fn needed(self) -> impl Iterator<Item = &'static str> {
        let names = self.built().into_iter().map(|component| component.name);
        names.filter(move |name| self.controllers || *name != CONTROLLER_MANAGER)
    }
}

/// Builds what is missing or damaged of the control plane and of nodes, and gives the folder that
/// holds the binaries. If `KUBEBUILDER_ASSETS` is set, it only checks that folder.
pub fn build() -> Result<PathBuf, Error> {
    assets(EVERYTHING, Scrutiny::Full)
}

/// The folder that holds the binaries, built if need be.
pub(crate) fn locate(purpose: Purpose) -> Result<PathBuf, Error> {
    assets(purpose, Scrutiny::Quick)
}

fn assets(purpose: Purpose, scrutiny: Scrutiny) -> Result<PathBuf, Error> {
    match env::var_os(ASSETS_VARIABLE).filter(|value| !value.is_empty()) {
        Some(folder) => given(Path::new(&folder), purpose),
        None => built(&Cache::at(cache_folder()?), purpose, scrutiny),
    }
}

fn given(folder: &Path, purpose: Purpose) -> Result<PathBuf, Error> {
    // Components work in another folder than this process.
    let folder = std::path::absolute(folder).map_err(Error::file("find", folder))?;
    match purpose
        .needed()
        .find(|name| !is_executable(&folder.join(name)))
    {
        Some(name) => Err(Error::AssetMissing { name, folder }),
        None => Ok(folder),
    }
}

fn is_executable(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

fn built(cache: &Cache, purpose: Purpose, scrutiny: Scrutiny) -> Result<PathBuf, Error> {
    let waiting = || output::note("waiting for another process that builds the test cluster ...");
    cache.ensure(&purpose.built(), scrutiny, waiting, |component, target| {
        let what = format!("building {} {}", component.name, component.module.version());
        let step = Step::begin(what);
        go_build::build(component, &cache.sources(), target)?;
        step.done();
        Ok(())
    })?;
    Ok(cache.binaries())
}

fn cache_folder() -> Result<PathBuf, Error> {
    let name = format!("{}-{}", KUBERNETES.version(), &inputs_digest()[..12]);
    Ok(caches()?.join(name))
}

/// The folder of all that is built for tests.
pub(crate) fn caches() -> Result<PathBuf, Error> {
    let root = cache_root(env::var_os("XDG_CACHE_HOME"), env::var_os("HOME"))?;
    Ok(root.join("kubectl-copyrator").join("test-cluster"))
}

/// The XDG specification says that a relative path is to be ignored.
fn cache_root(xdg: Option<OsString>, home: Option<OsString>) -> Result<PathBuf, Error> {
    let absolute = |path: &PathBuf| path.is_absolute();
    xdg.map(PathBuf::from)
        .filter(absolute)
        .or_else(|| {
            home.map(|home| PathBuf::from(home).join(".cache"))
                .filter(absolute)
        })
        .ok_or(Error::NoCacheFolder)
}

/// A digest of all that the binaries are made from.
fn inputs_digest() -> String {
    let [etcd, kubernetes] = [&ETCD, &KUBERNETES].map(Module::linker_flags);
    let modules = [
        ETCD.go_mod,
        ETCD.go_sum,
        KUBERNETES.go_mod,
        KUBERNETES.go_sum,
    ];
    let flags = [etcd.as_str(), kubernetes.as_str(), env::consts::ARCH];
    digest::of_texts(modules.into_iter().chain(flags).chain(go_build::FLAGS))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const BARE: Purpose = Purpose {
        controllers: false,
        nodes: false,
    };

    fn folder_with(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in names {
            let path = folder.path().join(name);
            fs::write(&path, "").expect("a written file");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("permissions");
        }
        folder
    }

    #[test]
    fn a_given_folder_with_everything_will_do() {
        let folder = folder_with(&["etcd", "kube-apiserver", "kubectl"]);
        assert_eq!(given(folder.path(), BARE).expect("assets"), folder.path());
    }

    #[test]
    fn a_given_folder_that_lacks_a_binary_is_an_error_that_names_it() {
        let folder = folder_with(&["etcd", "kubectl"]);
        let message = given(folder.path(), BARE)
            .expect_err("one is missing")
            .to_string();
        assert!(
            message.contains("has no executable kube-apiserver"),
            "{message}"
        );
        assert!(
            message.contains(&folder.path().display().to_string()),
            "{message}"
        );
        assert!(message.contains("unset it"), "{message}");
    }

    #[test]
    fn a_missing_controller_manager_matters_only_with_controllers() {
        let folder = folder_with(&["etcd", "kube-apiserver", "kubectl"]);
        let controlled = Purpose {
            controllers: true,
            ..BARE
        };
        let message = given(folder.path(), controlled)
            .expect_err("it is missing")
            .to_string();
        assert!(message.contains("start without controllers"), "{message}");
    }

    #[test]
    fn nodes_need_what_makes_them() {
        let folder = folder_with(&["etcd", "kube-apiserver", "kubectl", "kube-scheduler"]);
        let noded = Purpose {
            nodes: true,
            ..BARE
        };
        let message = given(folder.path(), noded)
            .expect_err("there is no kubelet")
            .to_string();
        assert!(message.contains("no executable kubelet"), "{message}");
    }

    #[test]
    fn the_cache_is_where_xdg_says() {
        let root = |xdg: &str, home: &str| cache_root(Some(xdg.into()), Some(home.into()));
        assert_eq!(root("/x", "/home/u").expect("a folder"), Path::new("/x"));
        assert_eq!(
            root("relative", "/home/u").expect("a folder"),
            Path::new("/home/u/.cache")
        );
        assert!(matches!(cache_root(None, None), Err(Error::NoCacheFolder)));
    }
}
