//! Exchange rates, from the provider's answer over real HTTP, with everything that goes wrong with that, to
//! the ConfigMap.

mod attempts;
mod bodies;
mod cached;
mod certificates;
mod feeds;
mod files;
mod keys;
mod limits;
mod oversized;
mod permitted;
mod properties;
mod proxies;
mod redirects;
mod refresh;
mod replies;
mod server;
mod tls;

pub use certificates::Certificates;
