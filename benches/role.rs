//! Which of its processes this is: the bench runs itself again for everything it measures.

use std::{
    ffi::OsString,
    io::{self, Write as _},
    process::{Command, ExitCode},
};

use crate::{
    arguments::{Arguments, Asked},
    error::Outcome,
    measured, raw, scenarios,
};

/// Sends prepared requests, and tells how long that took.
pub const SEND: &str = "raw-send";
/// Watches namespaces, and makes a copy in each that appears.
pub const FOLLOW: &str = "raw-follow";
/// Runs one program, and tells what it used.
pub const WATCH: &str = "watch-program";

/// Does what the arguments say.
pub fn play(arguments: &[OsString]) -> ExitCode {
    let result = match arguments.first().and_then(|first| first.to_str()) {
        Some(SEND) => raw::send_as_child(&arguments[1..]),
        Some(FOLLOW) => raw::follow_as_child(&arguments[1..]),
        Some(WATCH) => measured::watch_as_child(&arguments[1..]),
        _ => bench(arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn bench(arguments: &[OsString]) -> Outcome<()> {
    match Arguments::parse(arguments)? {
        Asked::Nothing => Ok(()),
        Asked::Help(text) => Ok(io::stdout().write_all(text.as_bytes())?),
        Asked::Scenarios(arguments) => scenarios::run(&arguments),
    }
}

/// This program in another role.
pub fn another(role: &str) -> Outcome<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(role);
    Ok(command)
}
