//! Runs a kubeconfig's credential plugin (`exec`), as client-go does.
//!
//! kube runs plugins too, but twice or more for each client, with a standard input that it shares with
//! `-f -`, and with errors that quote what the plugin printed.

use std::{
    io,
    process::{Command, Output, Stdio},
};

use jiff::Timestamp;
use kube::config::{ExecConfig, ExecInteractiveMode};
use secrecy::SecretString;
use serde::Deserialize;
use serde_json::json;

use super::ConnectError;

/// A plugin, ready to run.
#[derive(Clone)]
pub(super) struct Plugin {
    /// The kubeconfig's words, with the cluster filled in when it is to be told.
    pub exec: ExecConfig,
    /// The kubeconfig's user.
    pub user: String,
    /// Whether somebody can be asked.
    pub stdin_is_terminal: bool,
}

/// What a plugin gave.
pub(super) struct Credential {
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

impl Plugin {
    /// Runs the plugin to its end. Its standard error is ours, so that it can talk to the user.
    pub fn run(&self) -> Result<Credential, ConnectError> {
        let output = self
            .command()?
            .output()
            .map_err(|error| self.not_started(&error))?;
        if !output.status.success() {
            return Err(self.failed(ending(&output)));
        }
        // The text is never quoted: it holds the credential.
        let credential: ExecCredential =
            serde_json::from_slice(&output.stdout).map_err(|error| {
                let (line, column) = (error.line(), error.column());
                self.failed(format!(
                    "printed no ExecCredential: line {line}, column {column}"
                ))
            })?;
        self.check(credential)
    }

    fn command(&self) -> Result<Command, ConnectError> {
        let exec = &self.exec;
        let program = exec
            .command
            .as_deref()
            .filter(|program| !program.is_empty());
        let program = program
            .ok_or_else(|| self.failed("has no command in the kubeconfig's exec".to_owned()))?;
        let interactive = self.interactive()?;
        let variables = exec.env.iter().flatten();
        let mut command = Command::new(program);
        command
            .args(exec.args.iter().flatten())
            .envs(
                variables
                    .filter_map(|variable| Some((variable.get("name")?, variable.get("value")?))),
            )
            .env("KUBERNETES_EXEC_INFO", self.information(interactive))
            .stdin(if interactive {
                Stdio::inherit()
            } else {
                Stdio::null()
            })
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit());
        Ok(command)
    }

    fn interactive(&self) -> Result<bool, ConnectError> {
        match self.exec.interactive_mode {
            Some(ExecInteractiveMode::Never) => Ok(false),
            Some(ExecInteractiveMode::Always) if !self.stdin_is_terminal => Err(self.failed(
                "must ask somebody (interactiveMode: Always), but standard input is no terminal"
                    .to_owned(),
            )),
            _ => Ok(self.stdin_is_terminal),
        }
    }

    /// The request, in the variable where a plugin looks for it.
    fn information(&self, interactive: bool) -> String {
        let mut spec = json!({ "interactive": interactive });
        if let Some(cluster) = &self.exec.cluster {
            spec["cluster"] = json!(cluster);
        }
        json!({
            "kind": "ExecCredential",
            "apiVersion": self.exec.api_version,
            "spec": spec,
        })
        .to_string()
    }

    fn check(&self, credential: ExecCredential) -> Result<Credential, ConnectError> {
        if credential.kind.as_deref() != Some("ExecCredential") {
            return Err(self.failed("printed something that is no ExecCredential".to_owned()));
        }
        if credential.api_version != self.exec.api_version {
            let version =
                |version: &Option<String>| version.clone().unwrap_or_else(|| "none".to_owned());
            return Err(self.failed(format!(
                "is configured to use API version {}, but returned version {}",
                version(&self.exec.api_version),
                version(&credential.api_version)
            )));
        }
        let status = credential
            .status
            .ok_or_else(|| self.failed("returned no status".to_owned()))?;
        let certificate = match (status.client_certificate_data, status.client_key_data) {
            (Some(certificate), Some(key)) => Some((certificate, SecretString::from(key))),
            (None, None) => None,
            _ => {
                return Err(self.failed(
                    "returned only one of clientCertificateData and clientKeyData".to_owned(),
                ));
            }
        };
        let token = status
            .token
            .filter(|token| !token.is_empty())
            .map(SecretString::from);
        if token.is_none() && certificate.is_none() {
            return Err(self.failed("returned neither a token nor a certificate".to_owned()));
        }
        Ok(Credential {
            token,
            certificate,
            expires: status.expiration_timestamp,
        })
    }

    fn not_started(&self, error: &io::Error) -> ConnectError {
        if error.kind() == io::ErrorKind::NotFound {
            return ConnectError::PluginNotFound {
                command: self.name(),
                user: self.user.clone(),
                install_hint: self.exec.install_hint.clone(),
            };
        }
        self.failed(format!("can't be run: {error}"))
    }

    fn failed(&self, problem: String) -> ConnectError {
        ConnectError::PluginFailed {
            command: self.name(),
            user: self.user.clone(),
            problem,
            install_hint: self.exec.install_hint.clone(),
        }
    }

    fn name(&self) -> String {
        self.exec.command.clone().unwrap_or_default()
    }
}

fn ending(output: &Output) -> String {
    match output.status.code() {
        Some(code) => format!("failed with exit code {code}"),
        None => format!("failed: {}", output.status),
    }
}

#[cfg(test)]
#[path = "exec_plugin_tests.rs"]
mod tests;
