//! Requests that fail, in the middle of everything: nothing is lost, and the next run ends exact.

mod answers;
mod busy;
mod connections;
mod extremes;
mod interruption;
mod mixed;
mod namespaces;
mod races;
mod random_points;
mod reading;
mod refusals;
mod restart;
mod secrecy;
mod slowness;
mod versions;
