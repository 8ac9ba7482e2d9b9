//! `sync --watch`: a program that goes on, among everything that may happen to a cluster meanwhile.

mod copies;
mod fights;
mod hearsay;
mod memory;
mod namespaces;
mod originals;
mod policies;
mod quiet;
mod refusals;
mod restart;
mod rules;
mod signals;
mod statuses;
mod storm;
mod streams;
mod together;
mod watched;
