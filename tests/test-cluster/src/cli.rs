//! The command line.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::error::{Error, report};
use crate::{assets, output, up};

/// Starts a real Kubernetes cluster on this machine, for tests and for playing with it
#[derive(Debug, Parser)]
#[command(
    name = "test-cluster",
    version,
    after_help = "\
Examples:
  cargo run -p test-cluster -- up                   # runs until Ctrl-C
  cargo run -p test-cluster -- up --dir ./cluster   # with its kubeconfig at ./cluster/kubeconfig
  cargo run -p test-cluster -- up --nodes 2         # with two real nodes, as root
  cargo run -p test-cluster -- build                # only builds the binaries

The binaries are built from Go modules once, which takes some minutes, and kept under
$XDG_CACHE_HOME or ~/.cache. Set KUBEBUILDER_ASSETS to a folder of binaries to use those instead."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Starts a cluster, prints `KUBECONFIG=...` when it is ready, and runs until it is interrupted
    Up {
        /// How many real nodes to start, up to 8; they need root
        #[arg(long, value_name = "N", default_value_t = 0)]
        nodes: u8,
        /// The cluster's folder, new or empty; it is removed at the end [default: a new one under
        /// the temporary folder]
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
    },
    /// Builds what is missing and prints `KUBEBUILDER_ASSETS=...`, the folder that holds the binaries
    Build,
}

/// Does what the command line says.
pub fn run() -> ExitCode {
    match dispatch(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            output::note(&format!("error: {}", report(&error)));
            ExitCode::FAILURE
        }
    }
}

fn dispatch(command: Command) -> Result<(), Error> {
    match command {
        Command::Up { nodes, dir } => up::up(nodes, dir),
        Command::Build => {
            let folder = assets::build()?;
            output::result(&format!("{}={}", assets::ASSETS_VARIABLE, folder.display()))
                .map_err(Error::system("print the result"))
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
