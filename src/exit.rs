//! How the program ends, and which exit code says so.

use std::{process::ExitCode, sync::OnceLock};

use crate::cli::{Command, rates::RatesCommand};

/// How a command ended that didn't fail outright.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Everything is as it was asked for.
    Done,
    /// `diff`: something would change.
    Differences,
    /// Something couldn't be done; it has been told.
    Unfinished,
    /// All was done, but with rates that are too old: the user has chosen the code for that.
    Stale(u8),
    /// It was interrupted; what was done has been told.
    Interrupted,
}

/// A signal that asks the program to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// SIGINT: Ctrl-C.
    Interrupt,
    /// SIGTERM: whoever stops containers and jobs.
    Terminate,
}

/// The first one that came: signals go to the process, and so does its end.
static FIRST: OnceLock<Signal> = OnceLock::new();

impl Signal {
    /// Notes that it has come; only the first one counts.
    pub fn has_come(self) {
        FIRST.get_or_init(|| self);
    }

    /// What shells report for a program that this signal ended.
    pub fn code(self) -> u8 {
        match self {
            Self::Interrupt => 130,
            Self::Terminate => 143,
        }
    }
}

/// Whose exit codes apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// 1 means an error.
    Error,
    /// 1 means differences, more an error: `kubectl diff`.
    Diff,
}

impl Convention {
    /// The convention of a command.
    pub fn of(command: &Command) -> Self {
        match command {
            Command::Diff(_) => Self::Diff,
            Command::Rates(rates) => match rates.command {
                RatesCommand::Diff(_) => Self::Diff,
                _ => Self::Error,
            },
            Command::Sync(_)
            | Command::Prune(_)
            | Command::Crd(_)
            | Command::Controller(_)
            | Command::Deploy(_)
            | Command::Rbac(_) => Self::Error,
        }
    }

    /// The convention of the command that these words name, when they make no valid one.
    pub fn of_words(words: &[String]) -> Self {
        match words.last().map(String::as_str) {
            Some("diff") => Self::Diff,
            _ => Self::Error,
        }
    }

    /// The exit code of an error, wrong arguments included.
    pub fn error(self) -> ExitCode {
        match self {
            Self::Error => ExitCode::from(1),
            Self::Diff => ExitCode::from(2),
        }
    }

    /// The exit code of an ending.
    pub fn ending(self, ending: Ending) -> ExitCode {
        match ending {
            Ending::Done => ExitCode::SUCCESS,
            Ending::Differences => ExitCode::from(1),
            Ending::Unfinished => self.error(),
            Ending::Stale(code) => ExitCode::from(code),
            Ending::Interrupted => ExitCode::from(FIRST.get().unwrap_or(&Signal::Interrupt).code()),
        }
    }
}
