//! What is said to somebody who interrupts and has to wait.

use std::io::{self, Write};

/// Says on standard error that the end takes a while, and how not to wait for it. It is said beside
/// the reporter, which may be waiting itself.
pub fn say_stopping() {
    let text =
        "\nstopping: waiting for the requests that are under way; interrupt again to end at once\n";
    // Whoever closed standard error doesn't want to know.
    let _ = io::stderr().write_all(text.as_bytes());
}
