//! Asks on the terminal whether to go on.

use std::io;

use dialoguer::{Confirm, console::Term};

use crate::output::Streams;

/// Whether somebody can be asked: the question goes to standard error, the answer comes from standard input.
pub fn can_ask(streams: &Streams) -> bool {
    streams.in_is_terminal && streams.err_is_terminal
}

/// Asks; Enter alone means no. Ctrl-C at the question is an error of the kind `Interrupted`.
pub fn ask(question: &str) -> io::Result<bool> {
    let confirm = Confirm::new().with_prompt(question).default(false);
    confirm.interact().map_err(|dialoguer::Error::IO(error)| {
        // The question hides the cursor, and an interrupt leaves it so.
        let _ = Term::stderr().show_cursor();
        error
    })
}
