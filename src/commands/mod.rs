//! One file per verb.
pub mod sync;
