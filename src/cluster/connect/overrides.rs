//! Lets the flags win over what the kubeconfig says, as client-go's overrides do.

use std::path::Path;

use kube::config::{AuthInfo, Cluster};

use super::{
    error::ConnectError,
    options::{ConnectOptions, Impersonation},
    selection::Selection,
};

/// Changes the selection as the flags say.
pub fn apply(selection: &mut Selection, options: &ConnectOptions) -> Result<(), ConnectError> {
    apply_to_cluster(&mut selection.cluster, options)?;
    apply_to_user(&mut selection.user, options)?;
    impersonate(&mut selection.user, &options.impersonate)?;
    if let Some(namespace) = &options.namespace {
        selection.namespace = Some(namespace.clone());
    }
    Ok(())
}

fn apply_to_cluster(cluster: &mut Cluster, options: &ConnectOptions) -> Result<(), ConnectError> {
    if options.server.is_some() {
        cluster.server.clone_from(&options.server);
    }
    // Another server has another certificate: the kubeconfig's name doesn't hold for it.
    if options.server.is_some() || options.tls_server_name.is_some() {
        cluster.tls_server_name.clone_from(&options.tls_server_name);
    }
    trust(cluster, options)?;
    if options.disable_compression.is_some() {
        cluster.disable_compression = options.disable_compression;
    }
    Ok(())
}

/// Each of the two flags replaces everything that the kubeconfig says about trust.
fn trust(cluster: &mut Cluster, options: &ConnectOptions) -> Result<(), ConnectError> {
    let insecure = options.insecure_skip_tls_verify;
    if insecure == Some(true) || options.certificate_authority.is_some() {
        cluster.insecure_skip_tls_verify = None;
        cluster.certificate_authority_data = None;
        cluster.certificate_authority = path(options.certificate_authority.as_deref())?;
    }
    if insecure.is_some() {
        cluster.insecure_skip_tls_verify = insecure;
    }
    Ok(())
}

fn apply_to_user(user: &mut AuthInfo, options: &ConnectOptions) -> Result<(), ConnectError> {
    if options.token.is_some() && options.username.is_some() {
        return Err(ConnectError::TwoCredentials);
    }
    if options.has_credentials() {
        // A plugin may ask for a password, and its answer would win over the flags.
        user.exec = None;
        user.auth_provider = None;
    }
    if options.token.is_some() || options.username.is_some() {
        user.token.clone_from(&options.token);
        user.token_file = None;
        user.username.clone_from(&options.username);
        user.password = None;
    }
    if options.password.is_some() {
        user.password.clone_from(&options.password);
    }
    client_certificate(user, options)
}

fn client_certificate(user: &mut AuthInfo, options: &ConnectOptions) -> Result<(), ConnectError> {
    match (&options.client_certificate, &options.client_key) {
        (None, None) => return Ok(()),
        (Some(_), None) => return Err(ConnectError::NoClientKey),
        (None, Some(_)) => return Err(ConnectError::NoClientCertificate),
        (Some(_), Some(_)) => {}
    }
    user.client_certificate_data = None;
    user.client_key_data = None;
    user.client_certificate = path(options.client_certificate.as_deref())?;
    user.client_key = path(options.client_key.as_deref())?;
    Ok(())
}

fn impersonate(user: &mut AuthInfo, flags: &Impersonation) -> Result<(), ConnectError> {
    if flags.user.is_some() {
        user.impersonate.clone_from(&flags.user);
    }
    if flags.uid.is_some() {
        user.impersonate_uid.clone_from(&flags.uid);
    }
    if !flags.groups.is_empty() {
        user.impersonate_groups = Some(flags.groups.clone());
    }
    act_with_extra(user, &flags.extra);
    let is_absent = |text: &Option<String>| text.as_ref().is_none_or(String::is_empty);
    let is_plain = is_absent(&user.impersonate_uid)
        && user.impersonate_groups.as_ref().is_none_or(Vec::is_empty)
        && user.impersonate_user_extra.is_none();
    if is_absent(&user.impersonate) && !is_plain {
        return Err(ConnectError::NobodyToImpersonate);
    }
    Ok(())
}

/// The flags replace all the values that the kubeconfig gives the same keys.
fn act_with_extra(user: &mut AuthInfo, flags: &[(String, String)]) {
    let mut extra = user.impersonate_user_extra.take().unwrap_or_default();
    for (key, _) in flags {
        extra.insert(key.clone(), Vec::new());
    }
    for (key, value) in flags {
        extra.entry(key.clone()).or_default().push(value.clone());
    }
    user.impersonate_user_extra = Some(extra).filter(|extra| !extra.is_empty());
}

fn path(path: Option<&Path>) -> Result<Option<String>, ConnectError> {
    let Some(path) = path else { return Ok(None) };
    match path.to_str() {
        Some(text) => Ok(Some(text.to_owned())),
        None => Err(ConnectError::PathNotUnicode(path.to_owned())),
    }
}
