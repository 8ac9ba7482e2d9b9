//! kubectl-copyrator: copies ConfigMaps and Secrets to the namespaces that rules name.

use std::{env, ffi::OsString, io::Write, process::ExitCode};

use clap::Parser;

use cli::{Cli, UsageOutcome, usage_outcome};
use commands::CommandError;
use exit::{Codes, Ending};
use output::Streams;

pub mod api;
pub mod cli;
pub mod cluster;
pub mod commands;
pub mod copy;
pub mod exit;
pub mod logging;
pub mod output;
pub mod reconcile;

/// Runs the program on the process's arguments.
pub fn run() -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().collect();
    let mut streams = Streams::standard();
    let (codes, result) = match Cli::try_parse_from(&arguments) {
        Ok(cli) => {
            logging::start(cli.kube.verbosity);
            (Codes::of(&cli.command), commands::run(&cli, &mut streams))
        }
        Err(error) => not_run(&usage_outcome(&error, &arguments), &mut streams),
    };
    if let Err(error) = &result
        && !exit::is_reader_gone(error)
    {
        // Nobody is left to be told that standard error is closed.
        let _ = streams.err.write_all(error.rendered().as_bytes());
    }
    codes.exit_code(&result)
}

/// Prints help or a usage error, in place of running a command.
fn not_run(outcome: &UsageOutcome, streams: &mut Streams) -> (Codes, Result<Ending, CommandError>) {
    match outcome {
        UsageOutcome::Help(text) => {
            let written = streams.out.write_all(text.as_bytes());
            let written = written.and_then(|()| streams.out.flush());
            let result = written.map(|()| Ending::Done).map_err(Into::into);
            (Codes::Ordinary, result)
        }
        UsageOutcome::Error { message, command } => {
            let written = streams.err.write_all(message.as_bytes());
            let result = written.map(|()| Ending::Failed).map_err(Into::into);
            (Codes::of_words(command), result)
        }
    }
}
