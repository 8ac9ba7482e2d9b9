//! Checks a rule as the API server would, with the same schema and so the same words, and a little
//! more: it also finds what no schema can say.

mod globs;
mod metadata;
mod places;
#[cfg(test)]
mod properties;
mod rule;
mod rules;
mod schema;
mod structure;
mod suggestion;
#[cfg(test)]
mod tests;

pub use self::rule::validate;
pub(super) use self::{rule::check, suggestion::nearest};
