//! From the connection flags to a connection.

use std::{collections::BTreeMap, path::PathBuf};

use super::CommandError;
use crate::{
    cli::KubeFlags,
    cluster::{ConnectOptions, Connection, Impersonation},
};

/// Connects to the API server that the flags and the kubeconfig name.
pub async fn connect(flags: &KubeFlags) -> Result<Connection, CommandError> {
    Ok(crate::cluster::connect(&options(flags)).await?)
}

/// What the flags say. As in kubectl, a flag with an empty value says nothing.
fn options(flags: &KubeFlags) -> ConnectOptions {
    ConnectOptions {
        kubeconfig: path(flags.kubeconfig.as_ref()),
        context: text(flags.context.as_ref()),
        cluster: text(flags.cluster.as_ref()),
        user: text(flags.user.as_ref()),
        namespace: text(flags.namespace.as_ref()),
        server: text(flags.server.as_ref()),
        tls_server_name: text(flags.tls_server_name.as_ref()),
        insecure_skip_tls_verify: flags.insecure_skip_tls_verify,
        certificate_authority: path(flags.certificate_authority.as_ref()),
        client_certificate: path(flags.client_certificate.as_ref()),
        client_key: path(flags.client_key.as_ref()),
        token: flags.token.clone(),
        username: text(flags.username.as_ref()),
        password: flags.password.clone(),
        impersonation: impersonation(flags),
        request_timeout: Some(flags.request_timeout).filter(|timeout| !timeout.is_zero()),
        disable_compression: flags.disable_compression,
    }
}

fn impersonation(flags: &KubeFlags) -> Impersonation {
    let mut extras: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (key, value) in &flags.impersonate_extras {
        extras.entry(key.clone()).or_default().push(value.clone());
    }
    Impersonation {
        user: text(flags.impersonate.as_ref()),
        uid: text(flags.impersonate_uid.as_ref()),
        groups: flags.impersonate_groups.clone(),
        extras,
    }
}

fn text(flag: Option<&String>) -> Option<String> {
    flag.cloned().filter(|value| !value.is_empty())
}

fn path(flag: Option<&PathBuf>) -> Option<PathBuf> {
    flag.cloned().filter(|path| !path.as_os_str().is_empty())
}
