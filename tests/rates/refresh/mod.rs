//! `rates refresh`, `rates diff` and `rates prune`, with a provider of the test's own and a real API server.

mod answers;
mod clerk;
mod conditions;
mod definition;
mod desk;
mod doubt;
mod failing;
mod fallback;
mod from_files;
mod interruption;
mod keys;
mod many;
mod names;
mod owners;
mod past;
mod permitted;
mod provider;
mod prune;
mod publishing;
mod quiet;
mod rehearsal;
mod reports;
mod resting;
mod rights;
mod staleness;
mod taken;
