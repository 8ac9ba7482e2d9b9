//! `rates`: the verbs about exchange rates.

mod diff;
mod prune;
mod refresh;
mod run;
mod setting;
mod source;
mod web;

pub use run::run;
