//! Copying, against a real API server.

mod adoption;
mod carried;
mod conflicts;
mod copy_names;
mod drift;
mod faults;
mod filters;
mod limits;
mod orphans;
mod policies;
mod prune;
mod prune_command;
mod replacement;
mod requests;
mod rights;
mod rights_granted;
mod rights_people;
mod selection;
mod sets;
mod status;
mod suspension;
mod two_runs;
mod watch;
