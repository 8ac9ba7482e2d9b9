//! The generated reference under `docs/reference`: it must say what the program says.
//!
//! `UPDATE_REFERENCE=1 cargo test reference` writes it anew.

mod commands;
mod freshness;
