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
        CrdCommand::Print(arguments) => Ok(print(arguments, streams)?),
        CrdCommand::Install(arguments) => {
            let (definitions, address) = connected(kube).await?;
            let installed = install(&definitions, arguments, streams, cancellation).await;
            installed.map_err(|error| CommandError::from(error).explained(&address))
        }
        CrdCommand::Uninstall(arguments) => {
            let (definitions, address) = connected(kube).await?;
            let uninstalled = uninstall(&definitions, arguments, streams, cancellation).await;
            uninstalled.map_err(|error| CommandError::from(error).explained(&address))
        }
    }
}

/// The cluster's definitions, and the address of its API server.
async fn connected(kube: &KubeFlags) -> Result<(Definitions, String), CommandError> {
    let connection = connect_by(kube).await?;
    let definitions = Definitions::new(connection.client, connection.request_timeout);
    Ok((definitions, connection.server))
}
