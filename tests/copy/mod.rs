//! Copying, against a real API server.

mod conflicts;
mod drift;
mod faults;
mod prune;
mod requests;
mod rights;
mod rights_granted;
mod rights_people;
mod selection;
