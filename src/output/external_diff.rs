//! `KUBECTL_EXTERNAL_DIFF`: hands both states of the objects to the user's own program, as kubectl does.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    path::Path,
    process::{Command, ExitStatus, Stdio},
};

use tempfile::TempDir;

use super::{Change, Secrecy, Streams};

/// The variable that names the program.
pub const EXTERNAL_DIFF: &str = "KUBECTL_EXTERNAL_DIFF";

/// Why the user's own program didn't tell the differences.
#[derive(Debug, thiserror::Error)]
pub enum ExternalDiffError {
    /// The states couldn't be written to files.
    #[error("cannot write the files to compare")]
    Files(#[source] io::Error),
    /// The program couldn't be started.
    #[error("failed to run {program:?}, which {EXTERNAL_DIFF} names")]
    NotStarted {
        /// The program.
        program: String,
        /// Why not.
        source: io::Error,
    },
    /// The program said that it failed.
    #[error("{program:?}, which {EXTERNAL_DIFF} names, failed with {status}")]
    Failed {
        /// The program.
        program: String,
        /// How it ended.
        status: ExitStatus,
    },
    /// What the program wrote couldn't be passed on.
    #[error(transparent)]
    Output(io::Error),
}

/// Runs the user's program on two directories that hold the states of all the objects before and
/// after; returns whether the program found differences (it exits 1, and 0 if there are none).
///
/// Of the command's arguments only those made of letters, digits, `-` and `=` are used, and they
/// follow the directories: so does kubectl.
pub fn external_diff(
    command: &str,
    changes: &[Change<'_>],
    secrecy: Secrecy,
    streams: &mut Streams,
) -> Result<bool, ExternalDiffError> {
    let (live, merged) = write_states(changes, secrecy).map_err(ExternalDiffError::Files)?;
    let mut words = command.split(' ');
    let program = words.next().unwrap_or_default().to_owned();
    let mut command = Command::new(&program);
    command
        .args([live.path(), merged.path()])
        .args(words.filter(|word| is_accepted(word)));
    let status = match run(&mut command, streams)? {
        Ok(status) => status,
        Err(source) => return Err(ExternalDiffError::NotStarted { program, source }),
    };
    match status.code() {
        Some(0) => Ok(false),
        Some(1) => Ok(true),
        _ => Err(ExternalDiffError::Failed { program, status }),
    }
}

fn is_accepted(word: &str) -> bool {
    let accepted = |character: char| character.is_ascii_alphanumeric() || "-=".contains(character);
    !word.is_empty() && word.chars().all(accepted)
}

/// Runs the program: on our terminal if we have one (it may be interactive), otherwise its output
/// is passed on. The inner error is that it couldn't be started.
fn run(
    command: &mut Command,
    streams: &mut Streams,
) -> Result<io::Result<ExitStatus>, ExternalDiffError> {
    streams.out.flush().map_err(ExternalDiffError::Output)?;
    if streams.out_is_terminal {
        return Ok(command.status());
    }
    let output = match command.stdin(Stdio::null()).output() {
        Ok(output) => output,
        Err(error) => return Ok(Err(error)),
    };
    let passed_on = streams
        .err
        .write_all(&output.stderr)
        .and_then(|()| streams.out.write_all(&output.stdout))
        .and_then(|()| streams.out.flush());
    passed_on.map_err(ExternalDiffError::Output)?;
    Ok(Ok(output.status))
}

/// Writes the states into two directories that only we can read, and that go when they are dropped.
fn write_states(changes: &[Change<'_>], secrecy: Secrecy) -> io::Result<(TempDir, TempDir)> {
    let live = tempfile::Builder::new().prefix("LIVE-").tempdir()?;
    let merged = tempfile::Builder::new().prefix("MERGED-").tempdir()?;
    for directory in [&live, &merged] {
        restrict(directory.path())?;
    }
    for change in changes {
        let rendered = change.render(secrecy);
        let name = change.file_name();
        // As in kubectl, an object that isn't there is an empty file.
        write_private(&live.path().join(&name), &rendered.before)?;
        write_private(&merged.path().join(&name), &rendered.after)?;
    }
    Ok((live, merged))
}

fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(text.as_bytes())
}

#[cfg(unix)]
fn restrict(directory: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(directory, fs::Permissions::from_mode(0o700))
}

/// Elsewhere the user's own temporary directory is private already.
#[cfg(not(unix))]
fn restrict(directory: &Path) -> io::Result<()> {
    fs::metadata(directory).map(drop)
}

#[cfg(test)]
#[path = "external_diff_tests.rs"]
mod tests;
