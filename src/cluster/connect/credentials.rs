//! The user's credentials, made fit for the client.

use std::path::{MAIN_SEPARATOR, PathBuf};

use http::Uri;
use kube::config::{AuthInfo, Cluster};
use secrecy::ExposeSecret;
use tracing::warn;

use super::{
    environment::Environment,
    error::ConnectError,
    plugin, tls,
    tokens::{Source, Token},
};

/// Makes the user's credentials fit for the server at `url`.
pub fn prepare(
    user: &mut AuthInfo,
    cluster: &Cluster,
    url: &Uri,
    environment: &Environment,
) -> Result<(), ConnectError> {
    drop_empty(user);
    if url.scheme_str() == Some("http") {
        forget(user);
        return Ok(());
    }
    tls::check_client_certificate(user)?;
    if let Some(token) = &user.token {
        Token::new(token, None)?;
    } else if let Some(file) = &user.token_file {
        Source::File(PathBuf::from(file)).token()?;
    }
    match &mut user.exec {
        Some(exec) => plugin::prepare(exec, cluster, environment),
        None => Ok(()),
    }
}

/// Empty means absent, as everywhere in a kubeconfig.
fn drop_empty(user: &mut AuthInfo) {
    let secrets = [
        &mut user.token,
        &mut user.password,
        &mut user.client_key_data,
    ];
    for secret in secrets {
        secret.take_if(|secret| secret.expose_secret().is_empty());
    }
    let texts = [
        &mut user.username,
        &mut user.client_certificate_data,
        &mut user.impersonate,
        &mut user.impersonate_uid,
    ];
    for text in texts {
        text.take_if(|text| text.is_empty());
    }
    let paths = [
        &mut user.token_file,
        &mut user.client_certificate,
        &mut user.client_key,
    ];
    for path in paths {
        path.take_if(|path| is_no_path(path));
    }
}

/// What reads kubeconfigs puts their folder before every relative path, the empty one included.
pub fn is_no_path(text: &str) -> bool {
    text.is_empty() || text.ends_with(MAIN_SEPARATOR)
}

/// Like kubectl, never sends credentials over a connection that everybody can read.
fn forget(user: &mut AuthInfo) {
    let impersonation = AuthInfo {
        impersonate: user.impersonate.take(),
        impersonate_uid: user.impersonate_uid.take(),
        impersonate_groups: user.impersonate_groups.take(),
        impersonate_user_extra: user.impersonate_user_extra.take(),
        ..AuthInfo::default()
    };
    if user.token.is_some() || user.username.is_some() || user.client_certificate.is_some() {
        warn!("the server's address begins with http://, so no credentials are sent to it");
    }
    *user = impersonation;
}
