//! The command line: clap types only.

pub mod crd;
mod duration;
