//! From the flags of the command line to a connection.

use crate::{
    cli::KubeFlags,
    cluster::{ConnectError, ConnectOptions, Connection, Impersonation, connect},
};

/// Connects as the flags say.
pub async fn connect_by(flags: &KubeFlags) -> Result<Connection, ConnectError> {
    connect(&options(flags)).await
}

fn options(flags: &KubeFlags) -> ConnectOptions {
    // A flag that is added must be passed on too: taking all fields apart makes sure of it.
    let KubeFlags {
        kubeconfig,
        context,
        cluster,
        user,
        namespace,
        server,
        impersonate,
        impersonate_groups,
        impersonate_uid,
        impersonate_extra,
        request_timeout,
        token,
        username,
        password,
        tls_server_name,
        insecure_skip_tls_verify,
        certificate_authority,
        client_certificate,
        client_key,
        cache_dir: _,
        disable_compression,
    } = flags;
    ConnectOptions {
        kubeconfig: kubeconfig.clone(),
        context: context.clone(),
        cluster: cluster.clone(),
        user: user.clone(),
        namespace: namespace.clone(),
        server: server.clone(),
        impersonate: Impersonation {
            user: impersonate.clone(),
            uid: impersonate_uid.clone(),
            groups: impersonate_groups.clone(),
            extra: impersonate_extra.clone(),
        },
        token: token.clone(),
        username: username.clone(),
        password: password.clone(),
        tls_server_name: tls_server_name.clone(),
        insecure_skip_tls_verify: *insecure_skip_tls_verify,
        certificate_authority: certificate_authority.clone(),
        client_certificate: client_certificate.clone(),
        client_key: client_key.clone(),
        disable_compression: *disable_compression,
        request_timeout: Some(*request_timeout).filter(|timeout| !timeout.is_zero()),
    }
}
