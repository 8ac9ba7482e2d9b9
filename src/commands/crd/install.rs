//! `crd install`: makes the API server know the kinds that rules are written in.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;

use super::{
    check,
    interrupt::or_interrupt,
    run::{KIND, Place},
};
use crate::{
    api::custom_resource_definitions,
    cli::{InstallArgs, KubeFlags},
    cluster::{CrdError, Definitions},
    commands::{CommandError, connect},
    exit::Ending,
    output::{DryRun, Streams},
};

pub(super) async fn run(
    arguments: &InstallArgs,
    kube: &KubeFlags,
    streams: &mut Streams,
) -> Result<Ending, CommandError> {
    let connection = connect(kube).await?;
    let definitions = Definitions::new(&connection);
    if arguments.check {
        let place = Place::new(&connection, "get");
        return check::run(&definitions, &place, streams).await;
    }
    let place = Place::new(&connection, "get,create,patch");
    for wanted in custom_resource_definitions() {
        let change = install(&definitions, &wanted, arguments).await;
        let word = change.map_err(|error| place.crd(error))?;
        let name = wanted.metadata.name.as_deref().unwrap_or_default();
        let suffix = arguments.dry_run.suffix();
        writeln!(streams.out, "{KIND}/{name} {word}{suffix}")?;
        streams.out.flush()?;
        if arguments.dry_run == DryRun::None {
            let served = async {
                let served = definitions.wait_until_served(&wanted, arguments.timeout);
                served.await.map_err(|error| place.crd(error))
            };
            let then = "the definition is installed, but perhaps not served yet; see with: \
                        kubectl copyrator crd install --check";
            or_interrupt(served, then).await?;
        }
    }
    Ok(Ending::Done)
}

/// Makes the difference between a definition and the cluster's, and names it.
async fn install(
    definitions: &Definitions,
    wanted: &CustomResourceDefinition,
    arguments: &InstallArgs,
) -> Result<&'static str, CrdError> {
    let server_rehearsal = arguments.dry_run == DryRun::Server;
    let name = wanted.metadata.name.as_deref().unwrap_or_default();
    let Some(existing) = definitions.get(name).await? else {
        if arguments.dry_run != DryRun::Client {
            definitions.create(wanted, server_rehearsal).await?;
        }
        return Ok("created");
    };
    Definitions::may_replace(&existing, arguments.force)?;
    let changes = match arguments.dry_run {
        DryRun::Client => !existing.has(wanted),
        _ => {
            definitions
                .update(&existing, wanted, server_rehearsal)
                .await?
        }
    };
    Ok(if changes { "configured" } else { "unchanged" })
}
