//! The binary: starts the library and turns its result into an exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    kubectl_copyrator::run()
}
