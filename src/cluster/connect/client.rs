//! Makes kube's client from a configuration and credentials.

use kube::{Client, Config, client::ClientBuilder};

use super::{ConnectError, tokens::Tokens};

/// Makes the client. It speaks HTTP/1.1 and so opens as many connections as there are requests at the
/// same time; those that fall idle are used again for 90 s.
pub(super) fn build(config: Config, tokens: Option<&Tokens>) -> Result<Client, ConnectError> {
    let server = config.cluster_url.to_string();
    let builder = ClientBuilder::try_from(config).map_err(|error| ConnectError::Client {
        server,
        source: Box::new(error),
    })?;
    Ok(match tokens {
        Some(tokens) => builder.with_layer(tokens).build(),
        None => builder.build(),
    })
}
