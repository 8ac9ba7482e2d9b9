//! Copying, against a real API server.

mod adoption;
mod conflicts;
mod copy_names;
mod drift;
mod faults;
mod filters;
mod orphans;
mod policies;
mod prune;
mod prune_command;
mod replacement;
mod requests;
mod selection;
mod sets;
