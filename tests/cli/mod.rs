//! What the command line says of itself, and to those who mistype it; no cluster is needed.

mod help;
mod transcripts;
mod usage;

use std::path::Path;

use crate::sandbox::{Invocation, Ran};

/// Runs the program where there is no cluster to find.
async fn run(arguments: &[&str]) -> Ran {
    Invocation::new(Path::new("no-such-kubeconfig"), arguments)
        .run()
        .await
}
