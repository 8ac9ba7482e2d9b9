//! `rates refresh`, `rates diff` and `rates prune`, with a provider of the test's own and a real API server.

mod answers;
mod conditions;
mod desk;
mod doubt;
mod failing;
mod fallback;
mod keys;
mod many;
mod names;
mod owners;
mod permitted;
mod provider;
mod publishing;
mod quiet;
mod resting;
mod staleness;
mod taken;
