//! One file per verb.
pub mod crd;
pub mod sync;
