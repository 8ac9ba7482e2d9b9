//! Rates from providers, over real HTTP, and everything that goes wrong with that.

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
mod replies;
mod server;
mod tls;
