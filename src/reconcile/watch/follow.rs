//! Follows one collection for as long as it is wanted: reads it, watches it, resumes a watch that ended,
//! and reads it anew when the API server doesn't remember any more where the watch was.

use std::time::Duration;

use futures::{
    Stream, StreamExt,
    stream::{self, LocalBoxStream},
};
use tokio::time::{Instant, sleep};

use crate::reconcile::{
    ApiError, Backoff, Failure, Listed, Message, Query, RawObject, UnexpectedShape,
    WatchableCluster, Watched, whole,
};

/// What happens to a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change<T> {
    /// These are all objects of it: what isn't among them is gone.
    Listed(Vec<T>),
    /// An object came, or was changed.
    Applied(T),
    /// An object is gone; this was its last state.
    Deleted(T),
    /// It can't be followed just now.
    Failed {
        /// Why.
        error: ApiError,
        /// How long it is left alone.
        pause: Duration,
    },
}

const BACKOFF: Backoff = Backoff {
    first: Duration::from_millis(200),
    longest: Duration::from_secs(30),
};

/// Rights are seldom given back, and each refusal is written down somewhere.
const FORBIDDEN: Backoff = Backoff {
    first: BACKOFF.first,
    longest: Duration::from_mins(5),
};

/// A watch that ends sooner than this, without a word, isn't begun anew at once.
const BRIEF: Duration = Duration::from_secs(1);

/// A watch that went on for this long has shown that it works, even if it told nothing.
const PROVEN: Duration = BACKOFF.longest;

/// After so many failures in a row the state of the watch itself may be what the API server doesn't like:
/// one that was restored from a backup has never heard of it.
const DOUBTFUL: u32 = 4;

/// Follows a collection; `reduce` gives none for what isn't needed.
pub fn follow<'a, C, T, R>(
    cluster: &'a C,
    query: Query,
    reduce: R,
) -> impl Stream<Item = Change<T>> + 'a
where
    C: WatchableCluster,
    T: 'a,
    R: Fn(RawObject<'_>) -> Result<Option<T>, UnexpectedShape> + Clone + 'a,
{
    let follower = Follower {
        cluster,
        query,
        reduce,
        place: Place::Afresh,
        failures: 0,
        pause: None,
    };
    stream::unfold(follower, async |mut follower| {
        let change = follower.next().await;
        Some((change, follower))
    })
}

struct Follower<'a, C, T, R> {
    cluster: &'a C,
    query: Query,
    reduce: R,
    place: Place<'a, T>,
    /// How many failures there were since a watch worked. A list that is read proves nothing: whoever may
    /// list and not watch would read it again and again.
    failures: u32,
    /// How long nothing is done.
    pause: Option<Duration>,
}

enum Place<'a, T> {
    /// Nothing is known.
    Afresh,
    /// All is known up to this state.
    At(Box<str>),
    /// A watch goes on from this state.
    Watching {
        since: Box<str>,
        begun: Instant,
        messages: LocalBoxStream<'a, Result<Message<T>, ApiError>>,
    },
}

impl<'a, C, T, R> Follower<'a, C, T, R>
where
    C: WatchableCluster,
    T: 'a,
    R: Fn(RawObject<'_>) -> Result<Option<T>, UnexpectedShape> + Clone + 'a,
{
    async fn next(&mut self) -> Change<T> {
        loop {
            if let Some(pause) = self.pause.take() {
                sleep(pause).await;
            }
            let change = match &mut self.place {
                Place::Afresh => Some(self.read().await),
                Place::At(since) => {
                    let since = since.clone();
                    self.watch(since);
                    None
                }
                Place::Watching { messages, .. } => {
                    let message = messages.next().await;
                    self.heard(message)
                }
            };
            if let Some(change) = change {
                return change;
            }
        }
    }

    async fn read(&mut self) -> Change<T> {
        let page = async |token: Option<&str>| {
            let page = self.cluster.list_page(&self.query, token, &self.reduce);
            page.await
        };
        match whole(page).await {
            Ok(Listed {
                objects,
                resource_version,
            }) => {
                self.place = Place::At(resource_version);
                Change::Listed(objects)
            }
            Err(error) => self.failed(error),
        }
    }

    fn watch(&mut self, since: Box<str>) {
        let (cluster, query) = (self.cluster, self.query.clone());
        let messages = cluster.watch(query, since.clone(), self.reduce.clone());
        self.place = Place::Watching {
            since,
            begun: Instant::now(),
            messages: messages.boxed_local(),
        };
    }

    fn heard(&mut self, message: Option<Result<Message<T>, ApiError>>) -> Option<Change<T>> {
        let Place::Watching { since, begun, .. } = &mut self.place else {
            return None;
        };
        match message {
            Some(Ok(message)) => {
                self.failures = 0;
                *begun = Instant::now();
                *since = message.resource_version;
                match message.watched {
                    Watched::Applied(object) => Some(Change::Applied(object)),
                    Watched::Deleted(object) => Some(Change::Deleted(object)),
                    Watched::Nothing => None,
                }
            }
            Some(Err(error)) => {
                let is_connected = !matches!(error.failure, Failure::NotConnected(_));
                if begun.elapsed() >= PROVEN && is_connected {
                    self.failures = 0;
                }
                self.broken(error)
            }
            None => {
                let (since, went_on) = (std::mem::take(since), begun.elapsed());
                self.ended(since, went_on);
                None
            }
        }
    }

    /// Goes on where the watch was that ended without a word.
    fn ended(&mut self, since: Box<str>, went_on: Duration) {
        self.place = Place::At(since);
        if went_on >= BRIEF {
            self.failures = 0;
            return;
        }
        self.failures += 1;
        self.pause = Some(BACKOFF.delay(self.failures));
        if self.failures >= DOUBTFUL {
            self.place = Place::Afresh;
        }
    }

    /// Goes on where the watch was, unless that state itself is what doesn't work.
    fn broken(&mut self, error: ApiError) -> Option<Change<T>> {
        if matches!(error.failure, Failure::Expired(_)) {
            self.place = Place::Afresh;
            // Once is nothing special; again and again means that the lists are too old as well.
            self.pause = (self.failures > 0).then(|| BACKOFF.delay(self.failures));
            self.failures += 1;
            return None;
        }
        let is_lost = matches!(error.failure, Failure::Malformed(_))
            // Only a list tells for sure that it may be read again.
            || matches!(error.failure, Failure::Forbidden(_) | Failure::Unauthorized(_))
            || error.failure.is_unknown_resource()
            || (self.failures >= DOUBTFUL && !matches!(error.failure, Failure::NotConnected(_)));
        let place = std::mem::replace(&mut self.place, Place::Afresh);
        if let Place::Watching { since, .. } = place
            && !is_lost
        {
            self.place = Place::At(since);
        }
        Some(self.failed(error))
    }

    fn failed(&mut self, error: ApiError) -> Change<T> {
        self.failures += 1;
        let asked = error.failure.retry_after().unwrap_or_default();
        let backoff = match error.failure {
            Failure::Forbidden(_) => FORBIDDEN,
            _ => BACKOFF,
        };
        let pause = backoff.delay(self.failures).max(asked).min(backoff.longest);
        self.pause = Some(pause);
        Change::Failed { error, pause }
    }
}

#[cfg(test)]
#[path = "follow_tests.rs"]
mod tests;
