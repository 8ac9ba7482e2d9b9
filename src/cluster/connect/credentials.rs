//! Who we are to the API server: the kubeconfig's user, changed by what the user said.

use std::path::{Path, PathBuf};

use k8s_openapi::ByteString;
use kube::config::{AuthInfo, Cluster, ExecAuthCluster, ExecConfig};
use secrecy::{ExposeSecret, SecretString};

use super::{
    ConnectError, ConnectOptions, Impersonation,
    environment::Environment,
    exec_plugin::Plugin,
    selection::Selection,
    tokens::{Source, Token, Tokens},
};

/// Who we are: what kube sends by itself, and tokens that change.
pub(super) struct Credentials {
    /// For kube.
    pub auth_info: AuthInfo,
    /// For our own layer.
    pub tokens: Option<Tokens>,
}

/// Works out who we are. This may run a credential plugin, and so block.
pub(super) fn resolve(
    selection: &Selection,
    options: &ConnectOptions,
    environment: &Environment,
) -> Result<Credentials, ConnectError> {
    let mut user = selection.user.clone();
    override_certificate(&mut user, options);
    override_authentication(&mut user, options)?;
    impersonate(&mut user, &options.impersonation)?;
    check_files(&user)?;
    let token_file = user.token_file.take().filter(|path| !path.is_empty());
    let exec = user.exec.take();
    let tokens = if let Some(path) = token_file {
        user.token = None;
        let source = Source::File(PathBuf::from(path));
        Some(Tokens {
            token: source.token()?,
            source,
        })
    } else if let (Some(exec), None, None) = (exec, &user.token, &user.username) {
        let plugin = plugin(exec, selection, environment)?;
        run(plugin, &mut user)?
    } else {
        None
    };
    Ok(Credentials {
        auth_info: user,
        tokens,
    })
}

fn override_certificate(user: &mut AuthInfo, options: &ConnectOptions) {
    if let Some(path) = &options.client_certificate {
        user.client_certificate = Some(path.display().to_string());
        user.client_certificate_data = None;
    }
    if let Some(path) = &options.client_key {
        user.client_key = Some(path.display().to_string());
        user.client_key_data = None;
    }
}

fn override_authentication(
    user: &mut AuthInfo,
    options: &ConnectOptions,
) -> Result<(), ConnectError> {
    if let Some(token) = &options.token {
        user.token = Some(token.clone());
        user.token_file = None;
    }
    if let Some(username) = &options.username {
        user.username = Some(username.clone());
    }
    if let Some(password) = &options.password {
        user.password = Some(password.clone());
    }
    user.username = user.username.take().filter(|name| !name.is_empty());
    user.password = user.password.take().filter(is_not_empty);
    user.token = user.token.take().filter(is_not_empty);
    let has_token = user.token.is_some() || user.token_file.is_some();
    match (&user.username, &user.password) {
        (Some(_), _) if has_token => Err(ConnectError::TokenAndUsername),
        (Some(_), None) => Err(ConnectError::IncompleteBasicAuthentication(
            "the password (--password)",
        )),
        (None, Some(_)) => Err(ConnectError::IncompleteBasicAuthentication(
            "the username (--username)",
        )),
        _ => Ok(()),
    }
}

fn is_not_empty(secret: &SecretString) -> bool {
    !secret.expose_secret().is_empty()
}

/// What the user said replaces the kubeconfig's part by part, as in kubectl.
fn impersonate(user: &mut AuthInfo, said: &Impersonation) -> Result<(), ConnectError> {
    if said.user.is_some() {
        user.impersonate.clone_from(&said.user);
    }
    if said.uid.is_some() {
        user.impersonate_uid.clone_from(&said.uid);
    }
    if !said.groups.is_empty() {
        user.impersonate_groups = Some(said.groups.clone());
    }
    if !said.extras.is_empty() {
        user.impersonate_user_extra = Some(said.extras.clone().into_iter().collect());
    }
    let resulting = Impersonation {
        user: user.impersonate.clone().filter(|name| !name.is_empty()),
        uid: user.impersonate_uid.clone(),
        groups: user.impersonate_groups.clone().unwrap_or_default(),
        extras: user
            .impersonate_user_extra
            .clone()
            .unwrap_or_default()
            .into_iter()
            .collect(),
    };
    if resulting.user.is_none() && resulting.has_details() {
        return Err(ConnectError::ImpersonationWithoutUser);
    }
    Ok(())
}

/// Reads what kube will read, for errors that name the file.
fn check_files(user: &AuthInfo) -> Result<(), ConnectError> {
    let certificate = user
        .client_certificate_data
        .is_some()
        .then_some(None)
        .or_else(|| user.client_certificate.as_ref().map(Some));
    let key = user
        .client_key_data
        .is_some()
        .then_some(None)
        .or_else(|| user.client_key.as_ref().map(Some));
    for (what, path) in [
        ("client certificate", certificate.flatten()),
        ("client key", key.flatten()),
    ] {
        if let Some(path) = path {
            readable(what, Path::new(path))?;
        }
    }
    match (certificate, key) {
        (Some(_), None) => Err(ConnectError::IncompleteClientCertificate {
            missing: "the key (--client-key)",
        }),
        (None, Some(_)) => Err(ConnectError::IncompleteClientCertificate {
            missing: "the certificate (--client-certificate)",
        }),
        _ => Ok(()),
    }
}

fn readable(what: &'static str, path: &Path) -> Result<(), ConnectError> {
    match std::fs::File::open(path) {
        Ok(_) => Ok(()),
        Err(source) => Err(ConnectError::UnreadableFile {
            what,
            path: path.to_owned(),
            source,
        }),
    }
}

fn plugin(
    mut exec: ExecConfig,
    selection: &Selection,
    environment: &Environment,
) -> Result<Plugin, ConnectError> {
    if exec.provide_cluster_info {
        exec.cluster = Some(cluster_information(&selection.cluster)?);
    }
    Ok(Plugin {
        exec,
        user: selection.user_name.clone(),
        stdin_is_terminal: environment.stdin_is_terminal,
    })
}

fn cluster_information(cluster: &Cluster) -> Result<ExecAuthCluster, ConnectError> {
    ExecAuthCluster::try_from(cluster).map_err(|error| ConnectError::InvalidCertificate {
        what: "certificate authority".to_owned(),
        problem: error.to_string(),
    })
}

/// Runs a plugin, whose certificate becomes the user's and whose token is renewed.
fn run(plugin: Plugin, user: &mut AuthInfo) -> Result<Option<Tokens>, ConnectError> {
    let credential = plugin.run()?;
    if let Some((certificate, key)) = credential.certificate {
        user.client_certificate_data = Some(base64(&certificate));
        user.client_key_data = Some(SecretString::from(base64(key.expose_secret())));
    }
    let Some(token) = credential.token else {
        return Ok(None);
    };
    Ok(Some(Tokens {
        token: Token::new(&token, credential.expires)?,
        source: Source::Plugin(Box::new(plugin)),
    }))
}

/// A kubeconfig's form of PEM.
fn base64(text: &str) -> String {
    match serde_json::to_value(ByteString(text.as_bytes().to_vec())) {
        Ok(serde_json::Value::String(encoded)) => encoded,
        _ => unreachable!("a ByteString is serialized as a text"),
    }
}
