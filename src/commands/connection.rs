//! From the flags of the command line to a connection.

use std::path::PathBuf;

use crate::{
    cli::KubeFlags,
    cluster::{ConnectError, ConnectOptions, Connection, Impersonation, connect},
};

/// Connects as the flags say.
pub async fn connect_by(flags: &KubeFlags) -> Result<Connection, ConnectError> {
    connect(&options(flags)).await
}

/// What the flags say. As in kubectl, a flag with an empty value says nothing.
fn options(flags: &KubeFlags) -> ConnectOptions {
    // A flag that is added must be passed on too: taking all fields apart makes sure of it.
    let KubeFlags {
        kubeconfig,
        context,
        namespace,
        cluster,
        user,
        server,
        impersonate,
        impersonate_groups,
        impersonate_uid,
        impersonate_extras,
        request_timeout,
        token,
        username,
        password,
        client_certificate,
        client_key,
        certificate_authority,
        tls_server_name,
        insecure_skip_tls_verify,
        disable_compression,
        cache_dir: _,
        verbosity: _,
    } = flags.clone();
    ConnectOptions {
        kubeconfig: path(kubeconfig),
        context: text(context),
        cluster: text(cluster),
        user: text(user),
        namespace: text(namespace),
        server: text(server),
        tls_server_name: text(tls_server_name),
        insecure_skip_tls_verify: insecure_skip_tls_verify.then_some(true),
        certificate_authority: path(certificate_authority),
        client_certificate: path(client_certificate),
        client_key: path(client_key),
        token,
        username: text(username),
        password,
        impersonate: Impersonation {
            user: text(impersonate),
            uid: text(impersonate_uid),
            groups: impersonate_groups,
            extra: impersonate_extras,
        },
        request_timeout: Some(request_timeout).filter(|timeout| !timeout.is_zero()),
        disable_compression: disable_compression.then_some(true),
    }
}

fn text(flag: Option<String>) -> Option<String> {
    flag.filter(|value| !value.is_empty())
}

fn path(flag: Option<PathBuf>) -> Option<PathBuf> {
    flag.filter(|path| !path.as_os_str().is_empty())
}

#[cfg(test)]
#[path = "connection_tests.rs"]
mod tests;
