//! A raw watcher-and-writer: it hears of a namespace and makes its copy, and does nothing else.

use std::{
    ffi::OsString,
    fs,
    io::{self, BufRead as _, BufReader, Write as _},
    process::{Child, Stdio},
};

use serde::{Deserialize, Serialize};

use super::{
    connection::{self, Connection},
    job::{Job, Request},
    stream::Lines,
};
use crate::{
    error::Outcome,
    role::{self, FOLLOW},
};

/// What stands in the prepared copy for the name of its namespace.
pub const PLACE: &str = "@namespace@";

/// What to hear, and what to answer it with.
#[derive(Debug, Serialize, Deserialize)]
pub struct FollowJob {
    /// Where the API server is; its requests aren't sent.
    pub job: Job,
    /// The watch.
    pub watch: Request,
    /// The copy, for [`PLACE`].
    pub copy: Request,
}

#[derive(Deserialize)]
struct Event {
    r#type: String,
    object: Object,
}

#[derive(Deserialize)]
struct Object {
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Metadata {
    #[serde(default)]
    name: String,
}

/// Follows as the job in this file says, until it is killed.
pub fn follow_as_child(arguments: &[OsString]) -> Outcome<()> {
    let path = arguments.first().ok_or("no job")?;
    let job: FollowJob = serde_json::from_slice(&fs::read(path)?)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    runtime.block_on(follow(&job))
}

async fn follow(follow: &FollowJob) -> Outcome<()> {
    let job = &follow.job;
    let tls = connection::tls(&job.ca)?;
    let mut watch = Connection::open(&tls, job.port).await?;
    let mut writer = Connection::open(&tls, job.port).await?;
    watch.begin(&follow.watch, job).await?;
    writeln!(io::stdout(), "ready")?;
    let mut lines = Lines::default();
    loop {
        let line = watch.line(&mut lines).await?;
        let event: Event = serde_json::from_str(&line)?;
        if event.r#type == "ADDED" && event.object.metadata.name.starts_with("target-") {
            let copy = follow.copy.placed(&event.object.metadata.name);
            writer.exchange(&copy.bytes(job), false).await?;
        }
    }
}

impl Request {
    /// The same request for a namespace.
    fn placed(&self, namespace: &str) -> Self {
        Self {
            uri: self.uri.replace(PLACE, namespace),
            body: self.body.replace(PLACE, namespace),
            ..self.clone()
        }
    }
}

/// A raw watcher-and-writer that runs; it is killed when it is dropped.
pub struct Follower {
    child: Child,
    _job: tempfile::NamedTempFile,
}

impl Follower {
    /// Starts one, and waits until it listens.
    pub fn start(job: &FollowJob) -> Outcome<Self> {
        let file = tempfile::NamedTempFile::new()?;
        serde_json::to_writer(io::BufWriter::new(file.as_file()), job)?;
        let mut child = role::another(FOLLOW)?
            .arg(file.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()?;
        let stdout = child.stdout.take().ok_or("no standard output")?;
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line)?;
        if line.trim() != "ready" {
            return Err("the raw watcher didn't begin".into());
        }
        Ok(Self { child, _job: file })
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
