//! From the configuration to a client.

use std::time::Duration;

use kube::{
    Client, Config,
    client::{AuthError, ClientBuilder},
};

use super::{
    environment::Environment,
    error::ConnectError,
    options::ConnectOptions,
    resolve::{Resolved, resolve},
    service::http_service,
    tokens,
};

/// A client, and what else the connection flags say.
pub struct Connection {
    /// Speaks to the API server.
    pub client: Client,
    /// The namespace of the flag, or else of the context, or else `default`.
    pub default_namespace: String,
    /// The longest that one request may take.
    pub request_timeout: Option<Duration>,
    /// The API server's address.
    pub server: String,
    /// The context that was chosen; none without a kubeconfig.
    pub context: Option<String>,
}

/// Makes a client as the flags and the kubeconfig say. Runs the user's credential plugin if there
/// is one, but sends nothing to the API server yet.
pub async fn connect(options: &ConnectOptions) -> Result<Connection, ConnectError> {
    let resolved = resolve(options, &Environment::of_process())?;
    establish(resolved, options).await
}

async fn establish(
    resolved: Resolved,
    options: &ConnectOptions,
) -> Result<Connection, ConnectError> {
    let Resolved { config, context } = resolved;
    let server = config
        .cluster_url
        .to_string()
        .trim_end_matches('/')
        .to_owned();
    let default_namespace = config.default_namespace.clone();
    // A credential plugin may take its time, or ask a person.
    let client = tokio::task::spawn_blocking(move || client(config));
    Ok(Connection {
        client: client.await.expect("making a client doesn't panic")?,
        default_namespace,
        request_timeout: options.request_timeout(),
        server,
        context,
    })
}

fn client(mut config: Config) -> Result<Client, ConnectError> {
    let tokens = tokens::take(&mut config.auth_info)?;
    let service = http_service(&config).map_err(|error| refused(&error))?;
    let builder = ClientBuilder::new(service, config.default_namespace);
    Ok(match tokens {
        Some(tokens) => builder.with_layer(&tokens).build(),
        None => builder.build(),
    })
}

fn refused(error: &kube::Error) -> ConnectError {
    ConnectError::Client(match error {
        // Its own text would quote what the command printed.
        kube::Error::Auth(AuthError::AuthExecRun { out, .. }) => {
            format!("the kubeconfig's auth-provider failed ({})", out.status)
        }
        error => error.to_string(),
    })
}
