//! The user's credential plugin: what it may expect of us, and what to say when it fails.

use std::{io::ErrorKind, process::Output};

use kube::{
    client::AuthError,
    config::{Cluster, ExecConfig, ExecInteractiveMode},
};

use super::{environment::Environment, error::ConnectError};

/// The longest part of a plugin's own words that a message quotes.
const LONGEST_QUOTE: usize = 500;

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

/// Why there is no client, perhaps because of the plugin.
pub fn explain(plugin: Option<&ExecConfig>, error: &kube::Error) -> ConnectError {
    match (error, plugin) {
        (kube::Error::Auth(error), Some(plugin)) => failed(plugin, &reason(error)),
        _ => ConnectError::Client(error.to_string()),
    }
}

/// What the plugin did. The client's own text would quote its arguments, environment and output.
pub fn reason(error: &AuthError) -> String {
    match error {
        AuthError::AuthExecStart(error) if error.kind() == ErrorKind::NotFound => {
            "is not installed".to_owned()
        }
        AuthError::AuthExecStart(error) => format!("can't be run: {error}"),
        AuthError::AuthExecRun { out, .. } => format!("failed ({}){}", out.status, complaint(out)),
        AuthError::MissingCommand => "has no command".to_owned(),
        AuthError::ExecPluginFailed | AuthError::AuthExecParse(_) => {
            "printed no ExecCredential".to_owned()
        }
        AuthError::ReadTokenFile(error, path) => {
            format!("the token file {} can't be read: {error}", path.display())
        }
        _ => "gave credentials that can't be used".to_owned(),
    }
}

/// What the plugin wrote on its standard error, unless the user saw it already.
fn complaint(out: &Output) -> String {
    let text = String::from_utf8_lossy(&out.stderr);
    let text: String = text.trim().chars().take(LONGEST_QUOTE).collect();
    if text.is_empty() {
        text
    } else {
        format!(": {text}")
    }
}

fn failed(plugin: &ExecConfig, reason: &str) -> ConnectError {
    let hint = plugin.install_hint.as_deref().unwrap_or_default().trim();
    ConnectError::Plugin {
        command: plugin.command.clone().unwrap_or_default(),
        reason: match hint {
            "" => reason.to_owned(),
            hint => format!("{reason}\n{hint}"),
        },
    }
}
