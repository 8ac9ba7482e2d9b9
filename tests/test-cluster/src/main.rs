//! The binary: starts the command line.

fn main() {}
