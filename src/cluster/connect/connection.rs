//! From what the user said to a client, with the defaults that go with it.

use std::time::Duration;

use kube::{
    Config,
    config::{AuthInfo, Cluster},
};

use super::{
    ConnectError, ConnectOptions, client, configuration::configure, credentials,
    credentials::Credentials, environment::Environment, kubeconfig, selection::Selection,
    selection::select,
};

/// A client, and what goes with it. Nothing has been sent yet.
#[derive(Clone)]
pub struct Connection {
    /// The client; its requests have no time limit of their own.
    pub client: kube::Client,
    /// The namespace for what names none.
    pub default_namespace: String,
    /// The longest that a single request may take, when the user said so.
    pub request_timeout: Option<Duration>,
    /// The API server's address, for messages.
    pub server: String,
    /// The kubeconfig's context, when there is one.
    pub context: Option<String>,
}

/// Connects as kubectl would with the same flags. It may run a credential plugin, but sends nothing.
pub async fn connect(options: &ConnectOptions) -> Result<Connection, ConnectError> {
    connect_in(Environment::of_process(), options).await
}

pub(super) async fn connect_in(
    environment: Environment,
    options: &ConnectOptions,
) -> Result<Connection, ConnectError> {
    let owned = options.clone();
    // A plugin may wait for somebody to type; Ctrl-C must get through meanwhile.
    let prepared = tokio::task::spawn_blocking(move || prepare(&environment, &owned)).await;
    let prepared = prepared.expect("preparing a connection doesn't panic")?;
    let mut config = prepared.config;
    config.auth_info = prepared.credentials.auth_info;
    Ok(Connection {
        default_namespace: config.default_namespace.clone(),
        request_timeout: options.request_timeout,
        server: config
            .cluster_url
            .to_string()
            .trim_end_matches('/')
            .to_owned(),
        context: prepared.context,
        client: client::build(config, prepared.credentials.tokens.as_ref())?,
    })
}

pub(super) struct Prepared {
    pub config: Config,
    pub credentials: Credentials,
    pub context: Option<String>,
}

pub(super) fn prepare(
    environment: &Environment,
    options: &ConnectOptions,
) -> Result<Prepared, ConnectError> {
    let loaded = kubeconfig::load(options.kubeconfig.as_deref(), environment)?;
    let mut selection = match select(&loaded, options)? {
        Some(selection) => selection,
        None if environment.in_cluster => service_account(environment)?,
        None => {
            return Err(ConnectError::NoConfiguration {
                looked_for: loaded.looked_for(),
            });
        }
    };
    let config = configure(&mut selection, options, environment)?;
    let credentials = credentials::resolve(&selection, options, environment)?;
    Ok(Prepared {
        config,
        credentials,
        context: selection.context,
    })
}

/// The pod's own service account.
fn service_account(environment: &Environment) -> Result<Selection, ConnectError> {
    let config = Config::incluster_env().map_err(ConnectError::InCluster)?;
    let namespace = environment
        .pod_namespace
        .clone()
        .unwrap_or_else(|| config.default_namespace.trim().to_owned());
    let authority = config.root_cert_file.as_ref();
    Ok(Selection {
        cluster: Cluster {
            server: Some(config.cluster_url.to_string()),
            certificate_authority: authority.map(|path| path.display().to_string()),
            ..Cluster::default()
        },
        user: AuthInfo {
            token_file: config.auth_info.token_file,
            ..AuthInfo::default()
        },
        namespace: Some(namespace),
        ..Selection::default()
    })
}

#[cfg(test)]
#[path = "connection_tests.rs"]
mod tests;
