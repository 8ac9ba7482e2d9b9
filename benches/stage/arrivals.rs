//! Makes namespaces one by one, and sees when each has its copy.

use std::{
    collections::HashMap,
    io::Write as _,
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    thread,
    time::{Duration, Instant},
};

use serde::Deserialize;
use serde_json::Value;

use super::{Stage, content};
use crate::{
    error::Outcome,
    raw::{Connection, FollowJob, Follower, Job, Lines, PLACE, Request, tls},
};

const METADATA: &str = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
const METADATA_LIST: &str = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

/// No copy takes longer than this unless something is wrong.
const PATIENCE: Duration = Duration::from_secs(30);

/// When which copy was seen.
type Seen = (String, Instant);

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
    namespace: String,
}

/// Sees copies come into being, on a thread of its own.
pub struct Lookout {
    seen: Receiver<Seen>,
    early: HashMap<String, Instant>,
}

impl Lookout {
    /// When the copy of a namespace was seen.
    pub fn copy_in(&mut self, namespace: &str) -> Outcome<Instant> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(seen) = self.early.remove(namespace) {
                return Ok(seen);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.seen.recv_timeout(left) {
                Ok((place, instant)) => drop(self.early.insert(place, instant)),
                Err(RecvTimeoutError::Timeout) => {
                    return Err(format!("no copy came to {namespace}").into());
                }
                Err(RecvTimeoutError::Disconnected) => return Err("nobody looks out".into()),
            }
        }
    }
}

impl Stage {
    fn version_of(&self, uri: &str) -> Outcome<String> {
        let answer = self.set(vec![Request::get(format!("{uri}?limit=1"), METADATA_LIST)])?;
        let list: Value = serde_json::from_str(&answer.bodies[0])?;
        let version = list["metadata"]["resourceVersion"].as_str();
        Ok(version.ok_or("a list without a version")?.to_owned())
    }

    fn watch_since_now(&self, uri: &str, selector: &str) -> Outcome<Request> {
        let since = self.version_of(uri)?;
        let uri = format!("{uri}?watch=1&resourceVersion={since}&timeoutSeconds=3600{selector}");
        Ok(Request::get(uri, METADATA))
    }

    /// Looks out for copies of the first original from now on.
    pub fn look_out(&self) -> Outcome<Lookout> {
        let selector = format!(
            "&fieldSelector=metadata.name%3D{}",
            content::original_name(0)
        );
        let watch = self.watch_since_now("/api/v1/secrets", &selector)?;
        let job = self.administration();
        let (sender, seen) = channel();
        thread::spawn(move || {
            // Whoever waits for a copy learns that nobody looks out, and here why.
            if let Err(error) = look(&job, &watch, &sender) {
                let _ = writeln!(std::io::stderr(), "the lookout ended: {error}");
            }
        });
        Ok(Lookout {
            seen,
            early: HashMap::new(),
        })
    }

    /// Starts the yardstick that makes a copy in each namespace that appears.
    pub fn follow_raw(&self) -> Outcome<Follower> {
        let copy = self.template()?.post(PLACE, 0);
        Follower::start(&FollowJob {
            job: self.usage(),
            watch: self.watch_since_now("/api/v1/namespaces", "")?,
            copy,
        })
    }

    /// Makes so many namespaces, each when the one before has its copy; how long each waited for it, in
    /// seconds.
    pub fn arrive(&mut self, count: usize) -> Outcome<Vec<f64>> {
        let mut lookout = self.look_out()?;
        (0..count)
            .map(|_| {
                let name = self.make_one()?;
                let made = Instant::now();
                let seen = lookout.copy_in(&name)?;
                Ok(seen.saturating_duration_since(made).as_secs_f64())
            })
            .collect()
    }

    /// Makes namespaces at a steady pace, whether or not they get their copies; how long each waited.
    pub fn arrive_steadily(
        &mut self,
        count: usize,
        pause: Duration,
        mut meanwhile: impl FnMut(&Self, usize) -> Outcome<()>,
    ) -> Outcome<Vec<f64>> {
        let mut lookout = self.look_out()?;
        let begun = Instant::now();
        let mut made = Vec::with_capacity(count);
        for index in 0..count {
            let due = begun + pause * u32::try_from(index)?;
            thread::sleep(due.saturating_duration_since(Instant::now()));
            meanwhile(self, index)?;
            made.push((self.make_one()?, Instant::now()));
        }
        made.into_iter()
            .map(|(name, made)| {
                let seen = lookout.copy_in(&name)?;
                Ok(seen.saturating_duration_since(made).as_secs_f64())
            })
            .collect()
    }
}

fn look(job: &Job, watch: &Request, sender: &Sender<Seen>) -> Outcome<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    runtime.block_on(async {
        let mut connection = Connection::open(&tls(&job.ca)?, job.port).await?;
        connection.begin(watch, job).await?;
        let mut lines = Lines::default();
        loop {
            let line = connection.line(&mut lines).await?;
            let now = Instant::now();
            let event: Event = serde_json::from_str(&line)?;
            let is_unheard = event.r#type == "ADDED"
                && sender.send((event.object.metadata.namespace, now)).is_err();
            if is_unheard {
                return Ok(());
            }
        }
    })
}
