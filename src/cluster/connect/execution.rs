//! Runs the user's credential plugin, once for each time that credentials are needed.
//!
//! The client would run it twice to begin with, once for a token and once for a certificate, and
//! wouldn't ask it again after the API server refused its token.

use std::{
    io::ErrorKind,
    process::{Command, Output, Stdio},
};

use jiff::Timestamp;
use kube::config::{ExecConfig, ExecInteractiveMode};
use secrecy::SecretString;
use serde::Deserialize;
use serde_json::json;

use super::{error::ConnectError, plugin::failed};

/// What a plugin gave.
pub struct Credential {
    /// A bearer token.
    pub token: Option<SecretString>,
    /// A client certificate and its key, both PEM.
    pub certificate: Option<(String, SecretString)>,
    /// When they end.
    pub expires: Option<Timestamp>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExecCredential {
    kind: Option<String>,
    api_version: Option<String>,
    status: Option<Status>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    expiration_timestamp: Option<Timestamp>,
    token: Option<String>,
    client_certificate_data: Option<String>,
    client_key_data: Option<String>,
}

/// Runs a plugin to its end. Its standard error is ours: it may have to say where to log in.
pub fn run(plugin: &ExecConfig) -> Result<Credential, ConnectError> {
    let output = command(plugin)?
        .output()
        .map_err(|error| match error.kind() {
            ErrorKind::NotFound => failed(plugin, "is not installed"),
            _ => failed(plugin, &format!("can't be run: {error}")),
        })?;
    if !output.status.success() {
        return Err(failed(plugin, &format!("failed ({})", output.status)));
    }
    let credential = parse(&output).and_then(|credential| accept(plugin, credential));
    credential.map_err(|reason| failed(plugin, &reason))
}

fn command(plugin: &ExecConfig) -> Result<Command, ConnectError> {
    let program = plugin
        .command
        .as_deref()
        .filter(|program| !program.is_empty());
    let program = program.ok_or_else(|| failed(plugin, "has no command"))?;
    // Whoever prepared the plugin has seen to it that only a person's input is passed on.
    let interactive = plugin.interactive_mode != Some(ExecInteractiveMode::Never);
    let variables = plugin.env.iter().flatten();
    let variables =
        variables.filter_map(|variable| Some((variable.get("name")?, variable.get("value")?)));
    let mut command = Command::new(program);
    command
        .args(plugin.args.iter().flatten())
        .envs(variables)
        .env("KUBERNETES_EXEC_INFO", request(plugin, interactive))
        .stdin(if interactive {
            Stdio::inherit()
        } else {
            Stdio::null()
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit());
    Ok(command)
}

/// What a plugin is told.
fn request(plugin: &ExecConfig, interactive: bool) -> String {
    let mut spec = json!({ "interactive": interactive });
    if let Some(cluster) = &plugin.cluster {
        spec["cluster"] = json!(cluster);
    }
    let request = json!({
        "kind": "ExecCredential",
        "apiVersion": plugin.api_version,
        "spec": spec,
    });
    request.to_string()
}

/// The output is never quoted: it holds the credential.
fn parse(output: &Output) -> Result<ExecCredential, String> {
    let parsed: Option<ExecCredential> = serde_json::from_slice(&output.stdout).ok();
    parsed
        .filter(|credential| credential.kind.as_deref() == Some("ExecCredential"))
        .ok_or_else(|| "printed no ExecCredential".to_owned())
}

fn accept(plugin: &ExecConfig, credential: ExecCredential) -> Result<Credential, String> {
    if credential.api_version != plugin.api_version {
        let version = |version: Option<&String>| version.map_or("none", |text| text).to_owned();
        return Err(format!(
            "answered in API version {}, but the kubeconfig asks for {}",
            version(credential.api_version.as_ref()),
            version(plugin.api_version.as_ref()),
        ));
    }
    let status = credential.status.ok_or("gave no status")?;
    let certificate = match (status.client_certificate_data, status.client_key_data) {
        (Some(certificate), Some(key)) => Some((certificate, SecretString::from(key))),
        (None, None) => None,
        _ => return Err("gave only one of clientCertificateData and clientKeyData".to_owned()),
    };
    let token = status.token.filter(|token| !token.is_empty());
    if token.is_none() && certificate.is_none() {
        return Err("gave neither a token nor a certificate".to_owned());
    }
    Ok(Credential {
        token: token.map(SecretString::from),
        certificate,
        expires: status.expiration_timestamp,
    })
}

#[cfg(test)]
#[path = "tests/execution.rs"]
mod tests;
