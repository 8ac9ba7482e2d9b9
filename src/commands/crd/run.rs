//! Which of `crd`'s commands runs, and what they have in common.

use super::{install, print, uninstall};
use crate::{
    cli::{CrdCommand, KubeFlags},
    cluster::{Connection, CrdError},
    commands::{CommandError, ServerError, dispatch::block_on},
    exit::Ending,
    output::Streams,
    reconcile::ApiError,
};

/// How a definition is called in result lines.
pub(super) const KIND: &str = "customresourcedefinition.apiextensions.k8s.io";

/// Runs one of `crd`'s commands.
pub fn run(
    command: &CrdCommand,
    kube: &KubeFlags,
    streams: &mut Streams,
) -> Result<Ending, CommandError> {
    match command {
        CrdCommand::Install(arguments) => block_on(install::run(arguments, kube, streams)),
        CrdCommand::Uninstall(arguments) => block_on(uninstall::run(arguments, kube, streams)),
        CrdCommand::Print(arguments) => print::run(arguments, streams),
    }
}

/// Where requests go, and which verbs a command needs: for errors.
pub(super) struct Place {
    server: String,
    verbs: &'static str,
}

impl Place {
    pub fn new(connection: &Connection, verbs: &'static str) -> Self {
        Self {
            server: connection.server.clone(),
            verbs,
        }
    }

    /// The command's error for a failed request.
    pub fn api(&self, error: ApiError) -> CommandError {
        let verbs = self.verbs;
        ServerError {
            error,
            server: self.server.clone(),
            grant: Some(format!(
                "hint: an administrator can allow it with:\n\
                 \x20 kubectl create clusterrole copyrator-crds --verb={verbs} \
                 --resource=customresourcedefinitions.apiextensions.k8s.io\n\
                 \x20 kubectl create clusterrolebinding copyrator-crds \
                 --clusterrole=copyrator-crds --user=USER"
            )),
        }
        .into()
    }

    /// The command's error for a definition that can't be installed or removed.
    pub fn crd(&self, error: CrdError) -> CommandError {
        match error {
            CrdError::Api(error) => self.api(error),
            error => CommandError::Crd(error),
        }
    }
}
