//! Copying, against a real API server.

mod adoption;
mod conflicts;
mod drift;
mod faults;
mod orphans;
mod policies;
mod prune;
mod replacement;
mod requests;
mod selection;
mod sets;
