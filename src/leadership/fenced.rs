//! A cluster that is written to during a term only.

use std::sync::Arc;

use futures::Stream;

use super::Term;
use crate::reconcile::{
    Access, Answer, ApiError, Cluster, Depth, Desired, Failure, Message, ObjectKey, Observed, Page,
    Query, RawObject, StatusUpdate, UnexpectedShape, Verb, WatchableCluster, Writes,
};

/// A cluster that is written to during a term only: no write begins after its end, and none that is under
/// way then is waited for. What the API server does with such a one all the same, it does before anybody
/// else's term begins, and if the object is in the state that was observed.
pub struct Fenced<'a, C> {
    cluster: &'a C,
    term: &'a Term,
}

impl<'a, C> Fenced<'a, C> {
    /// Lets writes through to `cluster` while `term` lasts.
    pub fn new(cluster: &'a C, term: &'a Term) -> Self {
        Self { cluster, term }
    }

    async fn write(
        &self,
        verb: Verb,
        key: &ObjectKey,
        write: impl Future<Output = Result<(), ApiError>>,
    ) -> Result<(), ApiError> {
        tokio::select! {
            biased;
            () = self.term.over() => Err(ApiError::on(verb, key, Failure::LeadershipLost)),
            written = write => written,
        }
    }
}

impl<C: Cluster> Cluster for Fenced<'_, C> {
    async fn list_page<T>(
        &self,
        query: &Query,
        continue_token: Option<&str>,
        reduce: impl FnMut(RawObject<'_>) -> Result<Option<T>, UnexpectedShape>,
    ) -> Result<Page<T>, ApiError> {
        self.cluster.list_page(query, continue_token, reduce).await
    }

    async fn get<T>(
        &self,
        key: &ObjectKey,
        depth: Depth,
        reduce: impl FnOnce(RawObject<'_>) -> Result<T, UnexpectedShape>,
    ) -> Result<Option<T>, ApiError> {
        self.cluster.get(key, depth, reduce).await
    }

    fn writes(&self) -> Writes {
        self.cluster.writes()
    }

    async fn create(&self, desired: &Desired) -> Result<(), ApiError> {
        let write = self.cluster.create(desired);
        self.write(Verb::Create, &desired.key, write).await
    }

    async fn try_create(&self, desired: &Desired) -> Result<(), ApiError> {
        let write = self.cluster.try_create(desired);
        self.write(Verb::Create, &desired.key, write).await
    }

    async fn update(&self, desired: &Desired, observed: &Observed) -> Result<(), ApiError> {
        let write = self.cluster.update(desired, observed);
        self.write(Verb::Patch, &desired.key, write).await
    }

    async fn orphan(&self, observed: &Observed) -> Result<(), ApiError> {
        let write = self.cluster.orphan(observed);
        self.write(Verb::Patch, &observed.key, write).await
    }

    async fn release(&self, observed: &Observed) -> Result<(), ApiError> {
        let write = self.cluster.release(observed);
        self.write(Verb::Patch, &observed.key, write).await
    }

    async fn delete(&self, observed: &Observed) -> Result<(), ApiError> {
        let write = self.cluster.delete(observed);
        self.write(Verb::Delete, &observed.key, write).await
    }

    async fn write_status(&self, update: &StatusUpdate) -> Result<(), ApiError> {
        let write = self.cluster.write_status(update);
        self.write(Verb::Patch, &update.key, write).await
    }

    async fn may(&self, access: &Access) -> Result<Answer, ApiError> {
        self.cluster.may(access).await
    }

    async fn user(&self) -> Result<Arc<str>, ApiError> {
        self.cluster.user().await
    }
}

impl<C: WatchableCluster> WatchableCluster for Fenced<'_, C> {
    fn watch<T>(
        &self,
        query: Query,
        since: Box<str>,
        reduce: impl FnMut(RawObject<'_>) -> Result<Option<T>, UnexpectedShape>,
    ) -> impl Stream<Item = Result<Message<T>, ApiError>> {
        self.cluster.watch(query, since, reduce)
    }
}

#[cfg(test)]
mod tests {
    use std::{
        cell::Cell,
        future::{pending, ready},
        time::Duration,
    };

    use tokio::time::{Instant, sleep};

    use super::*;
    use crate::reconcile::{CONFIG_MAPS, Name};

    fn key() -> ObjectKey {
        ObjectKey {
            namespace: None,
            resource: &CONFIG_MAPS,
            name: Name::from("a"),
        }
    }

    fn lost(verb: Verb) -> Result<(), ApiError> {
        Err(ApiError::on(verb, &key(), Failure::LeadershipLost))
    }

    #[tokio::test(start_paused = true)]
    async fn a_write_during_a_term_is_waited_for() {
        let (_deadline, term) = Term::until(Instant::now() + Duration::from_secs(10));
        let fenced = Fenced::new(&(), &term);
        let write = async {
            sleep(Duration::from_secs(9)).await;
            Ok(())
        };
        assert_eq!(fenced.write(Verb::Create, &key(), write).await, Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_write_under_way_is_dropped_at_the_deadline() {
        let begun = Instant::now();
        let (_deadline, term) = Term::until(begun + Duration::from_secs(10));
        let fenced = Fenced::new(&(), &term);
        let written = fenced.write(Verb::Patch, &key(), pending()).await;
        assert_eq!(written, lost(Verb::Patch));
        assert_eq!(begun.elapsed(), Duration::from_secs(10));
    }

    #[tokio::test(start_paused = true)]
    async fn no_write_begins_after_the_deadline() {
        let (deadline, term) = Term::until(Instant::now() + Duration::from_secs(10));
        let fenced = Fenced::new(&(), &term);
        drop(deadline);
        let begun = Cell::new(false);
        let write = async {
            begun.set(true);
            ready(Ok(())).await
        };
        let written = fenced.write(Verb::Delete, &key(), write).await;
        assert_eq!((written, begun.get()), (lost(Verb::Delete), false));
    }

    #[test]
    fn a_lost_term_is_no_reason_to_try_again() {
        assert!(!Failure::LeadershipLost.is_transient());
    }
}
