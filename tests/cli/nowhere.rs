//! Runs the program where there is no cluster to find.

use std::path::Path;

use crate::sandbox::{Invocation, Ran};

/// Runs the program with these arguments and a kubeconfig that isn't there.
pub async fn run(arguments: &[&str]) -> Ran {
    Invocation::new(Path::new("no-such-kubeconfig"), arguments)
        .run()
        .await
}
