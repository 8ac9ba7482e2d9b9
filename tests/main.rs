//! Integration tests, one folder per domain, against one real API server that they share.

mod architecture;
mod cli;
mod connect;
mod controller;
mod copy;
mod crd;
mod deploy;
mod leadership;
mod node;
mod rates;
mod reference;
mod sandbox;
