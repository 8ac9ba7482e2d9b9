//! The exit codes, and which ending of a command gets which.

use std::{io, process::ExitCode};

use crate::{cli::Command, commands::CommandError};

/// How a command ended when nothing stopped it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All is as it should be.
    Done,
    /// `diff` found a difference.
    Different,
    /// It ran to its end, and has said on the way what isn't as it should be.
    Failed,
}

/// Which codes a command uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codes {
    /// 0 for done, 1 for an error.
    Ordinary,
    /// As diff(1) and kubectl have it: 0 for no difference, 1 for one, 2 for an error.
    Diff,
}

impl Codes {
    /// The codes of a command.
    pub fn of(command: &Command) -> Self {
        match command {
            Command::Diff(_) => Self::Diff,
            _ => Self::Ordinary,
        }
    }

    /// The codes of the command with these words, of which the rest could not be read.
    pub fn of_words(words: &[String]) -> Self {
        match words.first() {
            Some(word) if word == "diff" => Self::Diff,
            _ => Self::Ordinary,
        }
    }

    /// The code of an error.
    pub fn error(self) -> u8 {
        match self {
            Self::Ordinary => 1,
            Self::Diff => 2,
        }
    }

    /// The code of a command's result.
    pub fn code(self, result: &Result<Ending, CommandError>) -> u8 {
        match result {
            Ok(Ending::Done) => 0,
            Ok(Ending::Different) => 1,
            Err(error) if is_reader_gone(error) => 0,
            Ok(Ending::Failed) | Err(_) => self.error(),
        }
    }

    /// The same as [`Codes::code`], for the operating system.
    pub fn exit_code(self, result: &Result<Ending, CommandError>) -> ExitCode {
        ExitCode::from(self.code(result))
    }
}

/// Whether whoever read our output has seen enough, as in `| head`: no error of ours.
pub fn is_reader_gone(error: &CommandError) -> bool {
    matches!(error, CommandError::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_diff_tells_differences_from_errors() {
        let error = || Err(CommandError::Interrupted(String::new()));
        let gone = || Err(CommandError::Output(io::ErrorKind::BrokenPipe.into()));
        let table = [
            (Ok(Ending::Done), 0, 0),
            (Ok(Ending::Failed), 1, 2),
            (Ok(Ending::Different), 1, 1),
            (error(), 1, 2),
            (gone(), 0, 0),
        ];
        for (result, ordinary, diff) in table {
            assert_eq!(Codes::Ordinary.code(&result), ordinary, "{result:?}");
            assert_eq!(Codes::Diff.code(&result), diff, "{result:?}");
        }
    }
}
