//! The controller as a process: against a real API server, with signals, and asked over HTTP.

mod following;
mod rates;
mod refusals;
mod replicas;
mod running;
