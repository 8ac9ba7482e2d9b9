//! Runs the machine's own programs: gives them their input, and has their words in the error.

use std::io::{Read, Write as _};
use std::process::{Command, Output, Stdio};

use crate::error::{Error, last_lines};

const QUOTED_LINES: usize = 12;

/// Where Debian has its programs; what runs in a node has nothing else of the environment.
pub(crate) const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// Runs a command to its end and gives what it printed.
pub(crate) fn run(command: &mut Command, input: impl Read) -> Result<String, Error> {
    let output = output(command, input)?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(Error::Command {
        command: spelled(command),
        status: output.status,
        output: last_lines(&said, QUOTED_LINES),
    })
}

fn output(command: &mut Command, mut input: impl Read) -> Result<Output, Error> {
    command
        .env("PATH", PATH)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|source| Error::Spawn {
        program: command.get_program().into(),
        source,
    })?;
    let mut stdin = child.stdin.take().expect("its standard input is piped");
    // Whoever doesn't read its input to the end fails, and says why.
    let _ = std::io::copy(&mut input, &mut stdin).and_then(|_| stdin.flush());
    drop(stdin);
    child
        .wait_with_output()
        .map_err(Error::system("wait for a program to end"))
}

fn spelled(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_gets_its_input_and_gives_its_output() {
        let printed = run(&mut Command::new("cat"), "a word".as_bytes());
        assert_eq!(printed.expect("a run"), "a word");
    }

    #[test]
    fn a_failure_has_the_command_and_its_words() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo no such thing >&2; exit 3"]);
        let error = run(&mut command, std::io::empty()).expect_err("it fails");
        let message = error.to_string();
        assert!(message.contains("no such thing"), "{message}");
        assert!(message.contains("exit status: 3"), "{message}");
    }
}
