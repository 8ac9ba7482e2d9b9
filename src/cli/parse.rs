//! Reads the arguments of the process, and tells wrong ones as kubectl does.

use std::ffi::OsString;

use clap::{CommandFactory, Parser, error::ErrorKind};

use super::Cli;

/// Arguments that lead to no command.
#[derive(Debug, PartialEq, Eq)]
pub enum Refused {
    /// Help or the version was asked for.
    Asked(String),
    /// The arguments are wrong.
    Usage {
        /// What is wrong and where to look.
        message: String,
        /// The verb that was meant, if one was.
        verb: Option<String>,
    },
}

/// Reads arguments, the first being the program's own name.
pub fn parse(arguments: Vec<OsString>) -> Result<Cli, Refused> {
    Cli::try_parse_from(&arguments).map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            Refused::Asked(error.render().to_string())
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Refused::Asked(error.render().to_string())
        }
        _ => usage(&error, &arguments),
    })
}

fn usage(error: &clap::Error, arguments: &[OsString]) -> Refused {
    let rendered = error.render().to_string();
    let complaint = rendered
        .split("\n\nUsage:")
        .next()
        .unwrap_or(&rendered)
        .trim_end();
    let complaint = complaint
        .split("\n\nFor more information")
        .next()
        .unwrap_or(complaint);
    let verbs = verbs(arguments);
    let command = [&["kubectl copyrator".to_owned()], &verbs[..]]
        .concat()
        .join(" ");
    Refused::Usage {
        message: format!("{complaint}\n\nSee '{command} -h' for help and examples"),
        verb: verbs.first().cloned(),
    }
}

/// The verbs among the arguments, such as `crd install`.
fn verbs(arguments: &[OsString]) -> Vec<String> {
    let mut command = Cli::command();
    let mut verbs = Vec::new();
    for word in arguments.iter().skip(1).filter_map(|word| word.to_str()) {
        if let Some(verb) = command.find_subcommand(word) {
            verbs.push(word.to_owned());
            command = verb.clone();
        }
    }
    verbs
}
