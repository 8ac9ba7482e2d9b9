//! Checks an object as the API server would, with the same schema and so the same words, and a little
//! more: it also finds what no schema can say.

mod beside;
mod copyrator_rule;
mod exchange_rate;
mod globs;
mod kind;
mod metadata;
mod object;
mod places;
#[cfg(test)]
mod properties;
mod rules;
mod schema;
mod structure;
mod suggestion;
#[cfg(test)]
mod tests;

pub use self::{beside::Checking, kind::Kind, object::validate};
pub(super) use self::{kind::names, object::check, suggestion::nearest};
