//! The API server: the only room that names `kube::Client`.

mod api_server;
mod bodies;
mod crds;
mod failure;
mod request;
mod urls;

pub use api_server::{ApiServer, ApiServerOptions};
pub use crds::{Condition, Definitions, InstalledDefinition, WantedDefinition};
