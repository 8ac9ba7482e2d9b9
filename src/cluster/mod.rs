//! The API server: the only room that names `kube::Client`.

mod access;
mod api_server;
mod application;
mod bodies;
mod connect;
mod crds;
mod creation;
mod discretion;
mod events;
mod failure;
mod lease;
mod list_answer;
mod meter;
mod patch;
mod request;
mod transport;
mod urls;
mod watch;

pub use api_server::{ApiServer, ApiServerOptions};
pub use application::Application;
pub use connect::{
    ConnectError, ConnectOptions, Connection, Impersonation, connect, describe_failure,
};
pub use crds::{Condition, Definitions, InstalledDefinition, Made, WantedDefinition};
pub use creation::Creation;
pub use events::Events;
pub use lease::Lease;
pub use meter::{Meter, RequestEnd, metered};
