//! Connecting to a real API server, in all the ways that the flags and a kubeconfig allow.

mod credentials;
mod failures;
mod identity;
mod plugins;
mod tunnel;
