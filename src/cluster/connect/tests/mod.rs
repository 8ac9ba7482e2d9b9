//! Tests of the connection without a network.

mod credentials;
mod errors;
mod files;
mod fixtures;
mod flags;
mod impersonation;
mod plugins;
mod proxies;
mod server_unreachable;
