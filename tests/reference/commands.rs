//! The reference of the commands, from their own help.

use std::fmt::Write as _;

use clap::{Command, CommandFactory};
use kubectl_copyrator::cli::Cli;

const CONNECTION: &str = "Connection options:";

/// The help of every command, each once, and of the connection options at the end.
pub fn reference() -> String {
    let mut text = String::from(
        "# Commands\n\n<!-- Generated from the program's own help: UPDATE_REFERENCE=1 cargo test reference -->\n",
    );
    let mut root = Cli::command().term_width(100);
    root.build();
    describe(&mut text, &root);
    let help = help(&root);
    let (_, connection) = split(&help);
    write!(
        text,
        "\n## Connection options\n\n```text\n{connection}\n```\n"
    )
    .expect("a String takes all");
    text
}

fn describe(text: &mut String, command: &Command) {
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
    let help = help(command);
    let (own, _) = split(&help);
    write!(text, "\n## {name}\n\n```text\n{own}\n```\n").expect("a String takes all");
    for inner in command
        .get_subcommands()
        .filter(|inner| inner.get_name() != "help")
    {
        describe(text, inner);
    }
}

fn help(command: &Command) -> String {
    let help = command
        .clone()
        .term_width(100)
        .render_long_help()
        .to_string();
    help.lines()
        .map(str::trim_end)
        .collect::<Vec<_>>()
        .join("\n")
}

/// A command's own help without the connection options, and those.
fn split(help: &str) -> (String, String) {
    let Some((before, rest)) = help.split_once(CONNECTION) else {
        return (help.trim_end().to_owned(), String::new());
    };
    let (connection, after) = match rest.split_once("\nExamples:") {
        Some((connection, examples)) => (connection, format!("\n\nExamples:{examples}")),
        None => (rest, String::new()),
    };
    (
        format!("{}{}", before.trim_end(), after.trim_end()),
        connection.trim_matches('\n').to_owned(),
    )
}
