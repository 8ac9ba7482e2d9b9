//! What becomes of arguments that clap doesn't turn into a command: help, or an error as kubectl
//! words it.

use std::{error::Error as _, ffi::OsString};

use clap::{CommandFactory, error::ErrorKind};

use super::{Cli, Complaint};

/// What to print in place of running a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UsageOutcome {
    /// Help or the version, which was asked for: standard output.
    Help(String),
    /// The arguments are wrong: standard error.
    Error {
        /// What is wrong, and where help is.
        message: String,
        /// The words of the command, such as `crd install`.
        command: Vec<String>,
    },
}

/// Words clap's error on these arguments.
pub fn usage_outcome(error: &clap::Error, arguments: &[OsString]) -> UsageOutcome {
    let rendered = error.render().to_string();
    match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => UsageOutcome::Help(rendered),
        _ => {
            let command = command_words(arguments);
            let path = ["kubectl", "copyrator"]
                .into_iter()
                .chain(command.iter().map(String::as_str));
            let path = path.collect::<Vec<_>>().join(" ");
            let problem = match error
                .source()
                .and_then(<dyn std::error::Error>::downcast_ref)
            {
                Some(Complaint(text)) => format!("error: {text}\n"),
                None => problem(&rendered),
            };
            let message = format!("{problem}See '{path} -h' for help and examples\n");
            UsageOutcome::Error { message, command }
        }
    }
}

/// clap's own words, without its usage and its reference to the help.
fn problem(rendered: &str) -> String {
    let paragraphs = rendered.trim_end().split("\n\n").filter(|paragraph| {
        !paragraph.starts_with("Usage:") && !paragraph.starts_with("For more information")
    });
    let mut problem = paragraphs.collect::<Vec<_>>().join("\n\n");
    problem.push('\n');
    problem
}

/// The words that name the command, as far as the arguments have any.
fn command_words(arguments: &[OsString]) -> Vec<String> {
    let root = Cli::command();
    let (mut command, mut words) = (&root, Vec::new());
    for argument in arguments.iter().skip(1).filter_map(|word| word.to_str()) {
        if let Some(next) = command.find_subcommand(argument) {
            command = next;
            words.push(argument.to_owned());
        }
    }
    words
}
