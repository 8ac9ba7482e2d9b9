//! `crd install`: makes the API server know the kinds that rules are written in.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;

use tokio_util::sync::CancellationToken;

use super::{
    check,
    run::{KIND, unless_interrupted},
};
use crate::{
    api::custom_resource_definitions,
    cli::InstallArgs,
    cluster::{CrdError, Definitions},
    commands::CommandError,
    exit::Ending,
    output::{DryRun, Streams},
};

/// What is left to do when the wait is interrupted.
const NOT_AWAITED: &str = "the definition is installed, but perhaps not served yet; \
                           see with: kubectl copyrator crd install --check";

pub(super) async fn run(
    arguments: &InstallArgs,
    definitions: &Definitions,
    streams: &mut Streams,
    cancellation: &CancellationToken,
) -> Result<Ending, CommandError> {
    if arguments.check {
        return check::run(definitions, streams).await;
    }
    for wanted in custom_resource_definitions() {
        let word = install(definitions, &wanted, arguments).await?;
        let name = wanted.metadata.name.as_deref().unwrap_or_default();
        let suffix = arguments.dry_run.suffix();
        writeln!(streams.out, "{KIND}/{name} {word}{suffix}")?;
        streams.out.flush()?;
        if arguments.dry_run == DryRun::None {
            let served = definitions.wait_until_served(&wanted, arguments.timeout);
            unless_interrupted(served, cancellation, NOT_AWAITED).await?;
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
