//! Integration tests, one folder per domain, against one real API server that they share.

mod architecture;
mod cli;
mod connect;
mod copy;
mod crd;
mod deploy;
mod node;
mod rates;
mod reference;
mod sandbox;
