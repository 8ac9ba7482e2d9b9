//! Integration tests, one folder per domain, against one real API server that they share.

mod connect;
mod copy;
mod sandbox;
