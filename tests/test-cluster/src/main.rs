//! The binary `test-cluster`: starts the command line and passes on its exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    test_cluster::run()
}
