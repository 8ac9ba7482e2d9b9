//! Runs a program and tells what it used.
//!
//! A small process stands between: the kernel counts what a process waited for, and a child's peak
//! memory begins with that of the process it was forked from.

use std::{
    ffi::OsString,
    fs,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use nix::sys::resource::{Usage, UsageWho, getrusage};
use serde::{Deserialize, Serialize};

use crate::{
    error::Outcome,
    role::{self, WATCH},
};

/// What one run of a program used.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// From its start to its end.
    pub seconds: f64,
    /// Its CPU time, user and system.
    pub cpu_seconds: f64,
    /// The most memory that was resident.
    pub peak_mib: f64,
    /// What it wrote to standard error.
    pub stderr: String,
}

/// Runs a program with these arguments; its standard output is thrown away.
pub fn run(program: &Path, arguments: &[OsString]) -> Outcome<Measured> {
    let result = tempfile::NamedTempFile::new()?;
    let status = role::another(WATCH)?
        .arg(result.path())
        .arg(program)
        .args(arguments)
        .status()?;
    if !status.success() {
        return Err(format!("the watcher ended with {status}").into());
    }
    Ok(serde_json::from_slice(&fs::read(result.path())?)?)
}

/// Runs the program that the arguments name after the file for the result.
pub fn watch_as_child(arguments: &[OsString]) -> Outcome<()> {
    let [result, program, arguments @ ..] = arguments else {
        return Err("no program".into());
    };
    let begun = Instant::now();
    let output = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .output()?;
    let seconds = begun.elapsed().as_secs_f64();
    let stderr = String::from_utf8(output.stderr)?;
    if !output.status.success() {
        return Err(format!("the program ended with {}: {stderr}", output.status).into());
    }
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let measured = Measured {
        seconds,
        cpu_seconds: cpu(&usage).as_secs_f64(),
        peak_mib: mebibytes(usage.max_rss()),
        stderr,
    };
    Ok(fs::write(result, serde_json::to_vec(&measured)?)?)
}

/// The CPU time of this process until now.
pub fn own_cpu() -> Outcome<Duration> {
    Ok(cpu(&getrusage(UsageWho::RUSAGE_SELF)?))
}

fn cpu(usage: &Usage) -> Duration {
    [usage.user_time(), usage.system_time()]
        .iter()
        .map(|time| {
            let seconds = u64::try_from(time.tv_sec()).unwrap_or_default();
            let micros = u64::try_from(time.tv_usec()).unwrap_or_default();
            Duration::from_secs(seconds) + Duration::from_micros(micros)
        })
        .sum()
}

/// The kernel counts in KiB.
fn mebibytes(kibibytes: i64) -> f64 {
    f64::from(i32::try_from(kibibytes).unwrap_or(i32::MAX)) / 1024.0
}
