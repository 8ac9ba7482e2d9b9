//! Copying, against a real API server.

mod conflicts;
mod drift;
mod prune;
mod selection;
