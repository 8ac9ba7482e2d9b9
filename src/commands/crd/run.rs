//! Which of the `crd` verbs is run.

use tokio_util::sync::CancellationToken;

use super::{install, print, uninstall};
use crate::{
    cli::{KubeFlags, crd::CrdCommand},
    cluster::Definitions,
    commands::{CommandError, connection::connect_by},
    output::Streams,
};

/// Runs one of the `crd` verbs; only printing needs no cluster.
pub async fn run(
    command: &CrdCommand,
    kube: &KubeFlags,
    streams: &mut Streams,
    cancellation: &CancellationToken,
) -> Result<(), CommandError> {
    match command {
        CrdCommand::Print(arguments) => print(arguments, streams)?,
        CrdCommand::Install(arguments) => {
            let definitions = definitions(kube).await?;
            install(&definitions, arguments, streams, cancellation).await?;
        }
        CrdCommand::Uninstall(arguments) => {
            let definitions = definitions(kube).await?;
            uninstall(&definitions, arguments, streams, cancellation).await?;
        }
    }
    Ok(())
}

async fn definitions(kube: &KubeFlags) -> Result<Definitions, CommandError> {
    let connection = connect_by(kube).await?;
    Ok(Definitions::new(
        connection.client,
        connection.request_timeout,
    ))
}
