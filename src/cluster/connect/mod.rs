//! Connects to the API server that kubectl would connect to, as the user that it would be.

mod client;
mod configuration;
mod connection;
mod credentials;
mod environment;
mod error;
mod exec_plugin;
mod kubeconfig;
mod options;
mod proxy;
mod selection;
mod server_url;
mod tokens;
mod transport;

pub use connection::{Connection, connect};
pub use error::ConnectError;
pub use options::{ConnectOptions, Impersonation};
pub use transport::describe_transport;
