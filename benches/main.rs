//! Measures speed and memory against a real API server: `cargo bench --bench performance`.
//!
//! The yardstick is a writer of the bench's own (`raw`), which sends the same requests by bare HTTP.
//! Both are processes of their own, take turns, and what counts is their ratio: absolute figures
//! differ from machine to machine.

mod arguments;
mod error;
mod measured;
mod raw;
mod report;
mod role;
mod scenarios;
mod stage;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    role::play(&arguments)
}
