//! A provider of the test's own: it answers what it was last told to, and remembers who asked.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use jiff::{Timestamp, ToSpan as _};
use serde_json::Value;

use crate::rates::{
    replies::{Reply, answer, cut},
    server::{Request, Server},
};

/// A running provider; it ends with the test's runtime.
pub struct Provider {
    server: Server,
    answers: Arc<Mutex<BTreeMap<String, Answer>>>,
    seen: AtomicUsize,
}

/// What is answered at a path.
#[derive(Clone)]
pub enum Answer {
    /// A status and a body.
    Whole(u16, String),
    /// The first body once, and then the second one. The first one, of the provider `URL`, says that there is
    /// something new after so many seconds.
    Changing(String, i64, String),
    /// It wants to be left alone for so many seconds.
    Limited(u32),
    /// A body that breaks off in the middle.
    Half(String),
    /// Nothing, for as long as anybody waits.
    Never,
}

impl Provider {
    /// Starts one that knows nothing yet: all paths are 404.
    pub async fn start() -> Self {
        let answers = Arc::<Mutex<BTreeMap<String, Answer>>>::default();
        let known = Arc::clone(&answers);
        let decide = move |request: &Request, _| {
            let path = request.target().split('?').next().unwrap_or_default();
            let mut known = known.lock().expect("no holder panics");
            let Some(answer) = known.get_mut(path) else {
                return nothing();
            };
            let reply = reply(answer);
            if let Answer::Changing(_, _, next) = answer {
                *answer = Answer::Whole(200, std::mem::take(next));
            }
            reply
        };
        Self {
            server: Server::start(decide).await,
            answers,
            seen: AtomicUsize::new(0),
        }
    }

    /// The address of a path.
    pub fn url(&self, path: &str) -> String {
        self.server.url(path)
    }

    /// From now on, this path answers so.
    pub fn answer(&self, path: &str, answer: Answer) {
        let mut answers = self.answers.lock().expect("no holder panics");
        answers.insert(path.to_owned(), answer);
    }

    /// From now on, this path has this body.
    pub fn has(&self, path: &str, body: impl Into<String>) {
        self.answer(path, Answer::Whole(200, body.into()));
    }

    /// The requests since the last call.
    pub fn requests(&self) -> Vec<Request> {
        let all = self.server.requests();
        let seen = self.seen.swap(all.len(), Ordering::SeqCst);
        all[seen..].to_vec()
    }

    /// The paths and queries of the requests since the last call.
    pub fn targets(&self) -> Vec<String> {
        let requests = self.requests();
        let targets = requests.iter().map(|request| request.target().to_owned());
        targets.collect()
    }

    /// Waits until somebody asks who hasn't been seen.
    pub async fn is_asked(&self) {
        while self.server.requests().len() == self.seen.load(Ordering::SeqCst) {
            tokio::task::yield_now().await;
        }
    }
}

fn nothing() -> Reply {
    answer(404, &[], "there is nothing here")
}

fn reply(known: &Answer) -> Reply {
    match known {
        Answer::Whole(status, body) => answer(*status, &[], body),
        Answer::Changing(body, seconds, _) => answer(200, &[], announcing(body, *seconds)),
        Answer::Limited(seconds) => {
            let seconds = seconds.to_string();
            answer(429, &[("retry-after", &seconds)], "")
        }
        Answer::Half(body) => cut(body.as_bytes()),
        Answer::Never => Reply::Stall(Vec::new()),
    }
}

/// Rates in the provider's simple form, with the moment of the next ones.
fn announcing(body: &str, seconds: i64) -> String {
    let mut body: Value = serde_json::from_str(body).expect("the test's rates are JSON");
    let next = Timestamp::now() + seconds.seconds();
    body["nextUpdate"] = next.to_string().into();
    body.to_string()
}
