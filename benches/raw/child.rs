//! The raw writer as a process of its own, so that its CPU and memory compare with the program's.

use std::{ffi::OsString, fs, process::Stdio};

use super::{
    job::Job,
    send::{Sent, send},
};
use crate::{
    error::Outcome,
    role::{self, SEND},
};

/// Sends the requests of the job in this file, and prints what came of it.
pub fn send_as_child(arguments: &[OsString]) -> Outcome<()> {
    let path = arguments.first().ok_or("no job")?;
    let job: Job = serde_json::from_slice(&fs::read(path)?)?;
    let sent = send(&job)?;
    Ok(serde_json::to_writer(std::io::stdout(), &sent)?)
}

/// Has another process send the requests.
pub fn send_in_child(job: &Job) -> Outcome<Sent> {
    let file = tempfile::NamedTempFile::new()?;
    serde_json::to_writer(std::io::BufWriter::new(file.as_file()), job)?;
    let output = role::another(SEND)?
        .arg(file.path())
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(format!("the raw writer ended with {}", output.status).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}
