//! The standard streams, injected so that tests can look at what was written.

use std::io::{self, IsTerminal, Write};

/// Where output goes, and what kind of thing is at the other end.
pub struct Streams {
    /// Standard output: data and result lines.
    pub out: Box<dyn Write>,
    /// Standard error: everything else.
    pub err: Box<dyn Write>,
    /// Whether standard output is a terminal.
    pub out_is_terminal: bool,
    /// Whether standard error is a terminal.
    pub err_is_terminal: bool,
    /// Whether standard input is a terminal, so that somebody can be asked.
    pub in_is_terminal: bool,
}

impl Streams {
    /// The streams of this process.
    pub fn standard() -> Self {
        Self {
            out: Box::new(io::stdout()),
            err: Box::new(io::stderr()),
            out_is_terminal: io::stdout().is_terminal(),
            err_is_terminal: io::stderr().is_terminal(),
            in_is_terminal: io::stdin().is_terminal(),
        }
    }
}
