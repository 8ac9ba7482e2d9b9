//! Manifests, as `-f FILE|DIR|-` names them: reads objects of one kind and says all that is wrong with
//! them.

mod document;
#[cfg(test)]
mod exchange_rate_tests;
mod load;
mod parse;
mod problem;
#[cfg(test)]
mod tests;

pub use load::{load, load_any};
pub use parse::{Located, MAX_BYTES, parse};
pub use problem::{Place, Problem, Problems};
