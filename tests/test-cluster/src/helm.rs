//! Helm, which renders and checks charts: built from its module like the parts of a cluster, into a folder
//! of its own, as it goes with no cluster.

use std::env;
use std::path::PathBuf;

use crate::assets::caches;
use crate::cache::{Cache, Scrutiny};
use crate::components::{Component, HELM, Role};
use crate::digest;
use crate::error::Error;
use crate::go_build;
use crate::output::{self, Step};

static PROGRAM: Component = Component {
    name: "helm",
    module: &HELM,
    package: "helm.sh/helm/v4/cmd/helm",
    role: Role::Tool,
};

/// The path of the helm program, built if need be.
pub fn helm() -> Result<PathBuf, Error> {
    let cache = Cache::at(folder()?);
    let waiting = || output::note("waiting for another process that builds helm ...");
    cache.ensure(
        &[&PROGRAM],
        Scrutiny::Quick,
        waiting,
        |component, target| {
            let step = Step::begin(format!("building helm {}", component.module.version()));
            go_build::build(component, &cache.sources(), target)?;
            step.done();
            Ok(())
        },
    )?;
    Ok(cache.binaries().join(PROGRAM.name))
}

/// A folder for just this helm: another version doesn't take its place.
fn folder() -> Result<PathBuf, Error> {
    let flags = HELM.linker_flags();
    let inputs = [HELM.go_mod, HELM.go_sum, flags.as_str(), env::consts::ARCH];
    let digest = digest::of_texts(inputs.into_iter().chain(go_build::FLAGS));
    Ok(caches()?.join(format!("helm-{}-{}", HELM.version(), &digest[..12])))
}
