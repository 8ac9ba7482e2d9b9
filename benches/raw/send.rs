//! Sends prepared requests, many at once, each worker over a connection of its own.

use std::{
    cell::{Cell, RefCell},
    sync::Arc,
    time::{Duration, Instant},
};

use futures::future::try_join_all;
use serde::{Deserialize, Serialize};

use super::{
    connection::{self, Connection},
    job::Job,
};
use crate::{error::Outcome, measured::own_cpu};

/// What came of a job.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Sent {
    /// From the first connection to the last answer.
    pub seconds: f64,
    /// The CPU time of that, user and system.
    pub cpu_seconds: f64,
    /// The length of all answers.
    pub bytes: usize,
    /// The answers' bodies in the order of the requests, if they were to be kept.
    pub bodies: Vec<String>,
}

/// Sends the requests; an answer that is no success ends everything.
pub fn send(job: &Job) -> Outcome<Sent> {
    let prepared: Vec<Arc<[u8]>> = job.requests.iter().map(|one| one.bytes(job)).collect();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    let (begun, cpu) = (Instant::now(), own_cpu()?);
    let mut sent = runtime.block_on(work(job, &prepared))?;
    sent.seconds = begun.elapsed().as_secs_f64();
    sent.cpu_seconds = own_cpu()?
        .saturating_sub(cpu)
        .max(Duration::ZERO)
        .as_secs_f64();
    Ok(sent)
}

async fn work(job: &Job, prepared: &[Arc<[u8]>]) -> Outcome<Sent> {
    let tls = connection::tls(&job.ca)?;
    let kept = if job.keep { prepared.len() } else { 0 };
    let sent = RefCell::new(Sent {
        bodies: vec![String::new(); kept],
        ..Sent::default()
    });
    let next = Cell::new(0);
    let worker = async || {
        if next.get() >= prepared.len() {
            return Ok(());
        }
        let mut connection = Connection::open(&tls, job.port).await?;
        while let Some(request) = prepared.get(next.get()) {
            let index = next.replace(next.get() + 1);
            let answer = connection.exchange(request, job.keep).await?;
            if !(200..300).contains(&answer.status) {
                return Err(refusal(job, index, answer.status, &answer.body));
            }
            let mut sent = sent.borrow_mut();
            sent.bytes += answer.bytes;
            if job.keep {
                sent.bodies[index] = String::from_utf8(answer.body)?;
            }
        }
        Ok(())
    };
    try_join_all((0..job.workers).map(|_| worker())).await?;
    Ok(sent.into_inner())
}

fn refusal(job: &Job, index: usize, status: u16, body: &[u8]) -> crate::error::AnyError {
    let request = &job.requests[index];
    let text = String::from_utf8_lossy(body);
    format!("{} {}: {status} {text}", request.method, request.uri).into()
}
