//! `rates refresh`, `rates diff` and `rates prune`, with a provider of the test's own and a real API server.

mod answers;
mod conditions;
mod desk;
mod doubt;
mod failing;
mod provider;
mod publishing;
mod quiet;
mod staleness;
