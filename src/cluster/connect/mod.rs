//! From the connection flags and the kubeconfig to a client, as kubectl does it.

mod address;
mod connection;
mod credentials;
mod environment;
mod error;
mod execution;
mod failure_text;
mod in_cluster;
mod kubeconfig;
mod options;
mod overrides;
mod plugin;
mod proxy;
mod resolve;
mod selection;
mod service;
mod tls;
mod tokens;
mod unknown;
mod unreadable;

#[cfg(test)]
mod tests;

pub use connection::{Connection, connect};
pub use error::ConnectError;
pub use failure_text::describe_failure;
pub use options::{ConnectOptions, Impersonation};
