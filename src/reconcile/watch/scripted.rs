//! A cluster that does what a script says, for tests of those who follow it.

use std::{cell::RefCell, collections::VecDeque, sync::Arc, time::Duration};

use futures::{Stream, StreamExt, stream};
use tokio::time::{Instant, sleep};

use crate::reconcile::{
    Access, Answer, ApiError, Cluster, Depth, Desired, Failure, Message, ObjectKey, Observed, Page,
    Query, RawObject, StatusUpdate, UnexpectedShape, Verb, WatchableCluster, Watched, Writes,
};

/// What a request for a list is answered with: objects, and the state of the collection.
pub type ListAnswer = Result<(&'static [&'static str], &'static str), Failure>;

/// What happens on a watch, after a while.
pub type Happening = (Duration, Result<Message<String>, Failure>);

/// A cluster that answers as it is told, and notes when it was asked what.
#[derive(Default)]
pub struct Scripted {
    lists: RefCell<VecDeque<ListAnswer>>,
    watches: RefCell<VecDeque<Vec<Happening>>>,
    asked: RefCell<Vec<(Instant, String)>>,
}

impl Scripted {
    /// One that answers these, in this order, and then nothing more.
    pub fn new(lists: &[ListAnswer], watches: &[Vec<Happening>]) -> Self {
        Self {
            lists: RefCell::new(lists.iter().cloned().collect()),
            watches: RefCell::new(watches.iter().cloned().collect()),
            asked: RefCell::default(),
        }
    }

    fn note(&self, request: String) {
        self.asked.borrow_mut().push((Instant::now(), request));
    }

    /// What it was asked, in words.
    pub fn asked(&self) -> Vec<String> {
        let asked = self.asked.borrow();
        asked.iter().map(|(_, request)| request.clone()).collect()
    }

    /// The time between each request and the one before.
    pub fn pauses(&self) -> Vec<Duration> {
        let asked = self.asked.borrow();
        asked.windows(2).map(|two| two[1].0 - two[0].0).collect()
    }
}

fn error(verb: Verb, failure: Failure) -> ApiError {
    ApiError {
        verb,
        subject: "secrets".to_owned(),
        failure,
    }
}

impl Cluster for Scripted {
    async fn list_page<T>(
        &self,
        _query: &Query,
        continue_token: Option<&str>,
        mut reduce: impl FnMut(RawObject<'_>) -> Result<Option<T>, UnexpectedShape>,
    ) -> Result<Page<T>, ApiError> {
        assert_eq!(continue_token, None, "a script's lists have one page");
        self.note("list".to_owned());
        let answer = self.lists.borrow_mut().pop_front();
        let Some(answer) = answer else {
            return std::future::pending().await;
        };
        let (names, version) = answer.map_err(|failure| error(Verb::List, failure))?;
        let mut objects = Vec::new();
        for name in names {
            objects.extend(reduce(RawObject::new(&format!("{name:?}"))).unwrap());
        }
        Ok(Page {
            objects,
            continue_token: None,
            resource_version: version.into(),
        })
    }

    async fn get<T>(
        &self,
        _key: &ObjectKey,
        _depth: Depth,
        _reduce: impl FnOnce(RawObject<'_>) -> Result<T, UnexpectedShape>,
    ) -> Result<Option<T>, ApiError> {
        unreachable!("whoever follows gets no single objects")
    }

    fn writes(&self) -> Writes {
        unreachable!("whoever follows writes nothing")
    }

    async fn create(&self, _: &Desired) -> Result<(), ApiError> {
        unreachable!("whoever follows writes nothing")
    }

    async fn try_create(&self, _: &Desired) -> Result<(), ApiError> {
        unreachable!("whoever follows writes nothing")
    }

    async fn update(&self, _: &Desired, _: &Observed) -> Result<(), ApiError> {
        unreachable!("whoever follows writes nothing")
    }

    async fn orphan(&self, _: &Observed) -> Result<(), ApiError> {
        unreachable!("whoever follows writes nothing")
    }

    async fn release(&self, _: &Observed) -> Result<(), ApiError> {
        unreachable!("whoever follows writes nothing")
    }

    async fn delete(&self, _: &Observed) -> Result<(), ApiError> {
        unreachable!("whoever follows writes nothing")
    }

    async fn write_status(&self, _: &StatusUpdate) -> Result<(), ApiError> {
        unreachable!("whoever follows writes nothing")
    }

    async fn may(&self, _: &Access) -> Result<Answer, ApiError> {
        unreachable!("whoever follows asks for no rights")
    }

    async fn user(&self) -> Result<Arc<str>, ApiError> {
        unreachable!("whoever follows asks for no name")
    }
}

impl WatchableCluster for Scripted {
    /// Once the script is at its end, watches tell nothing and don't end.
    fn watch<T>(
        &self,
        _query: Query,
        since: Box<str>,
        mut reduce: impl FnMut(RawObject<'_>) -> Result<Option<T>, UnexpectedShape>,
    ) -> impl Stream<Item = Result<Message<T>, ApiError>> {
        self.note(format!("watch since {since}"));
        let script = self.watches.borrow_mut().pop_front();
        let end = if script.is_some() {
            stream::empty().left_stream()
        } else {
            stream::pending().right_stream()
        };
        let happenings = stream::iter(script.unwrap_or_default()).then(async |(delay, result)| {
            sleep(delay).await;
            result
        });
        let messages = happenings.map(move |result| {
            let message = result.map_err(|failure| error(Verb::Watch, failure))?;
            let mut told = |name: String| reduce(RawObject::new(&format!("{name:?}"))).unwrap();
            let watched = match message.watched {
                Watched::Applied(name) => told(name).map(Watched::Applied),
                Watched::Deleted(name) => told(name).map(Watched::Deleted),
                Watched::Nothing => None,
            };
            Ok(Message {
                watched: watched.unwrap_or(Watched::Nothing),
                resource_version: message.resource_version,
            })
        });
        messages.chain(end)
    }
}
