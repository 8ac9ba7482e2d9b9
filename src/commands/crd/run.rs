//! Which of `crd`'s commands runs, and what they have in common.

use tokio_util::sync::CancellationToken;

use super::{install, print, uninstall};
use crate::{
    cli::{CrdCommand, InstallArgs, KubeFlags, UninstallArgs},
    cluster::{CrdError, Definitions},
    commands::{CommandError, connection::connect_by},
    exit::Ending,
    output::Streams,
};

/// How a definition is called in result lines.
pub(super) const KIND: &str = "customresourcedefinition.apiextensions.k8s.io";

/// Runs one of `crd`'s commands.
pub async fn run(
    command: &CrdCommand,
    kube: &KubeFlags,
    streams: &mut Streams,
    cancellation: &CancellationToken,
) -> Result<Ending, CommandError> {
    let action = match command {
        CrdCommand::Print(arguments) => return print::run(arguments, streams),
        CrdCommand::Install(arguments) => Action::Install(arguments),
        CrdCommand::Uninstall(arguments) => Action::Uninstall(arguments),
    };
    let connection = connect_by(kube).await?;
    let definitions = Definitions::new(&connection);
    let result = match action {
        Action::Install(arguments) => {
            install::run(arguments, &definitions, streams, cancellation).await
        }
        Action::Uninstall(arguments) => {
            uninstall::run(arguments, &definitions, streams, cancellation).await
        }
    };
    result.map_err(|error| error.about(&connection.server))
}

/// What needs a cluster.
enum Action<'a> {
    Install(&'a InstallArgs),
    Uninstall(&'a UninstallArgs),
}

/// Awaits the end of a wait, or the user's interruption, with `then` to say about what is half done.
pub(super) async fn unless_interrupted(
    wait: impl Future<Output = Result<(), CrdError>>,
    cancellation: &CancellationToken,
    then: &'static str,
) -> Result<(), CommandError> {
    match cancellation.run_until_cancelled(wait).await {
        Some(result) => Ok(result?),
        None => Err(CommandError::Interrupted(then)),
    }
}
