//! kubectl-copyrator: copies ConfigMaps and Secrets to the namespaces that rules name.

pub mod api;
pub mod cli;
pub mod cluster;
pub mod commands;
pub mod copy;
pub mod exit;
pub mod output;
pub mod reconcile;

use std::{ffi::OsString, io::Write as _, process::ExitCode};

use crate::{
    cli::{Cli, Command, Refused},
    commands::CommandError,
    exit::{Convention, Ending},
    output::{ColourChoice, Colours, Streams},
};

/// Runs the program on the process's arguments and standard streams.
pub fn run() -> ExitCode {
    run_with(std::env::args_os().collect(), &mut Streams::standard())
}

/// Runs the program on these arguments, of which the first is its name, and these streams.
pub fn run_with(arguments: Vec<OsString>, streams: &mut Streams) -> ExitCode {
    match cli::parse(arguments) {
        Ok(cli) => execute(&cli, streams),
        Err(refused) => refuse(&refused, streams),
    }
}

fn execute(cli: &Cli, streams: &mut Streams) -> ExitCode {
    let convention = match cli.command {
        Command::Diff(_) => Convention::Diff,
        Command::Sync(_) => Convention::Error,
    };
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

fn refuse(refused: &Refused, streams: &mut Streams) -> ExitCode {
    match refused {
        Refused::Asked(text) => {
            // Whoever pipes help into `head` has seen enough.
            let _ = write!(streams.out, "{text}");
            ExitCode::SUCCESS
        }
        Refused::Usage { message, verb } => {
            let _ = writeln!(streams.err, "{message}");
            Convention::of(verb.as_deref()).error()
        }
    }
}
