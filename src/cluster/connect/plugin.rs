//! The user's credential plugin: what it may expect of us, and what to say when it fails.

use kube::config::{Cluster, ExecConfig, ExecInteractiveMode};

use super::{environment::Environment, error::ConnectError};

/// Makes the plugin fit for how we run. It must not read a standard input that isn't a person's:
/// the rules may come from there.
pub fn prepare(
    plugin: &mut ExecConfig,
    cluster: &Cluster,
    environment: &Environment,
) -> Result<(), ConnectError> {
    if !environment.is_interactive {
        if plugin.interactive_mode == Some(ExecInteractiveMode::Always) {
            let reason = "asks questions, but the standard input is not a terminal";
            return Err(failed(plugin, reason));
        }
        plugin.interactive_mode = Some(ExecInteractiveMode::Never);
    }
    if plugin.provide_cluster_info {
        let cluster = cluster.try_into();
        plugin.cluster = Some(cluster.map_err(ConnectError::ClusterForPlugin)?);
    }
    Ok(())
}

/// What to say of a plugin that doesn't do its work, with how to install it.
pub fn failed(plugin: &ExecConfig, reason: &str) -> ConnectError {
    let hint = plugin.install_hint.as_deref().unwrap_or_default().trim();
    ConnectError::Plugin {
        command: plugin.command.clone().unwrap_or_default(),
        reason: match hint {
            "" => reason.to_owned(),
            hint => format!("{reason}\n{hint}"),
        },
    }
}
