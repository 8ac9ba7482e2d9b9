//! From the flags and the surroundings to the client's configuration.

use std::{
    env::consts::{ARCH, OS},
    time::Duration,
};

use http::{HeaderValue, Uri, header};
use kube::{Config, config::Cluster};

use super::{
    address::{self, Assume},
    credentials,
    environment::Environment,
    error::ConnectError,
    in_cluster, kubeconfig,
    options::ConnectOptions,
    overrides, proxy,
    selection::{self, Selection},
    tls,
};

/// Longer than any handshake takes, shorter than a person waits.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);

/// Where to connect to, and as whom.
pub struct Resolved {
    /// The client's configuration.
    pub config: Config,
    /// The context that it comes from.
    pub context: Option<String>,
}

/// Finds out where to connect to, without connecting.
pub fn resolve(
    options: &ConnectOptions,
    environment: &Environment,
) -> Result<Resolved, ConnectError> {
    let mut selection = find(options, environment)?;
    overrides::apply(&mut selection, options)?;
    let context = selection.context.clone();
    let config = configure(selection, options, environment)?;
    Ok(Resolved { config, context })
}

fn find(options: &ConnectOptions, environment: &Environment) -> Result<Selection, ConnectError> {
    let files = kubeconfig::read(options.kubeconfig.as_deref(), environment)?;
    if files.read.is_empty()
        && !options.names_a_cluster()
        && let Some(selection) = in_cluster::find(environment)
    {
        return Ok(selection);
    }
    selection::select(&files, options)
}

fn configure(
    mut selection: Selection,
    options: &ConnectOptions,
    environment: &Environment,
) -> Result<Config, ConnectError> {
    let cluster = &selection.cluster;
    let url = url(cluster, selection.context.as_deref())?;
    credentials::prepare(&mut selection.user, cluster, &url, environment)?;
    let mut config = Config::new(url);
    config.proxy_url = proxy::choose(
        cluster.proxy_url.as_deref(),
        &config.cluster_url,
        environment,
    )?;
    config.root_cert = tls::authority(cluster)?;
    config.accept_invalid_certs = cluster.insecure_skip_tls_verify == Some(true);
    if config.accept_invalid_certs && config.root_cert.is_some() {
        return Err(ConnectError::InsecureWithAuthority);
    }
    config.tls_server_name = cluster
        .tls_server_name
        .clone()
        .filter(|name| !name.is_empty());
    config.disable_compression = cluster.disable_compression.unwrap_or(false);
    config.default_namespace = selection.namespace.unwrap_or_else(|| "default".to_owned());
    config.auth_info = selection.user;
    set_behaviour(&mut config, options.request_timeout());
    Ok(config)
}

/// A client-wide read timeout would cut watches, and the engine retries with more care.
fn set_behaviour(config: &mut Config, request_timeout: Option<Duration>) {
    config.default_retry = false;
    config.read_timeout = None;
    let timeout = request_timeout.unwrap_or(CONNECT_TIMEOUT);
    config.connect_timeout = Some(timeout.min(CONNECT_TIMEOUT));
    config.headers = vec![(header::USER_AGENT, user_agent())];
}

fn url(cluster: &Cluster, context: Option<&str>) -> Result<Uri, ConnectError> {
    let server = cluster
        .server
        .as_deref()
        .filter(|server| !server.is_empty());
    let Some(server) = server else {
        return Err(ConnectError::NoServer(context.map(ToOwned::to_owned)));
    };
    let says_tls = cluster.insecure_skip_tls_verify == Some(true)
        || cluster.certificate_authority.is_some()
        || cluster.certificate_authority_data.is_some();
    let assume = if says_tls {
        Assume::Https
    } else {
        Assume::Http
    };
    address::parse(server, assume)
}

fn user_agent() -> HeaderValue {
    let program = concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION"));
    let text = format!("{program} ({OS}/{ARCH})");
    HeaderValue::try_from(text).expect("names and versions are visible ASCII")
}
