//! `rates`: the verbs about exchange rates.

mod ask;
mod chart;
mod create;
mod diff;
mod error;
mod get;
mod keep;
mod manifest;
mod pairs;
mod prompt;
mod prune;
mod refresh;
mod run;
mod setting;
mod source;
mod sources;
mod web;

pub use error::AskError;
pub use run::run;
pub use setting::cluster_setting;
pub use source::placed;
pub use web::{punctual_web, urls};
