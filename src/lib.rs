//! kubectl-copyrator: copies ConfigMaps and Secrets to the namespaces that rules name.

pub mod api;
pub mod cli;
pub mod cluster;
pub mod commands;
pub mod copy;
pub mod exit;
pub mod installation;
pub mod leadership;
pub mod logging;
pub mod output;
pub mod rates;
pub mod reconcile;
pub mod telemetry;

use std::{ffi::OsString, io::Write as _, process::ExitCode};

use clap::Parser as _;

use crate::{
    cli::{Cli, UsageOutcome, usage_outcome},
    commands::CommandError,
    exit::{Convention, Ending},
    logging::Log,
    output::{ColourChoice, Colours, Streams},
};

/// Runs the program on the process's arguments and standard streams.
pub fn run() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    run_with(&arguments, &mut Streams::standard())
}

/// Runs the program on these arguments, of which the first is its name, and these streams.
pub fn run_with(arguments: &[OsString], streams: &mut Streams) -> ExitCode {
    match Cli::try_parse_from(arguments) {
        Ok(cli) => execute(&cli, streams),
        Err(error) => refuse(&usage_outcome(&error, arguments), streams),
    }
}

fn execute(cli: &Cli, streams: &mut Streams) -> ExitCode {
    let colours = Colours::detect(ColourChoice::Auto, streams);
    Log::of(cli).start(colours.err.enabled);
    let convention = Convention::of(&cli.command);
    match commands::dispatch(cli, streams) {
        Ok(ending) => convention.ending(ending),
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            tell(&error, streams);
            if error.is_interruption() {
                return convention.ending(Ending::Interrupted);
            }
            convention.error()
        }
    }
}

/// When standard error is gone too, there is nobody left to tell.
fn tell(error: &CommandError, streams: &mut Streams) {
    let palette = Colours::detect(ColourChoice::Auto, streams).err;
    let _ = output::write_error(streams, error, &error.hints(), palette);
}

fn refuse(outcome: &UsageOutcome, streams: &mut Streams) -> ExitCode {
    match outcome {
        UsageOutcome::Help(text) => {
            // Whoever pipes help into `head` has seen enough.
            let _ = write!(streams.out, "{text}");
            ExitCode::SUCCESS
        }
        UsageOutcome::Error { message, command } => {
            let _ = write!(streams.err, "{message}");
            Convention::of_words(command).error()
        }
    }
}
