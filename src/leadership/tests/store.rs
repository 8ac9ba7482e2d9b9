//! A Lease in memory, as the API server keeps it, and ways to it that fail on purpose.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    time::Duration,
};

use serde_json::Value;
use tokio::{sync::Notify, time::sleep};

use super::super::{LeaseRecord, Leases, Stored};
use crate::reconcile::{ApiError, Failure, LEASES, Name, Namespace, ObjectKey, Verb};

/// How requests of a candidate fare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Way {
    /// They are answered.
    #[default]
    Open,
    /// They are refused at once, and not sent.
    Closed,
    /// They never come back, and have no effect.
    Silent,
    /// They take effect, and the answer is lost.
    AnswersLost,
    /// RBAC refuses them.
    Forbidden,
}

/// The Lease, and how often it was written.
#[derive(Default)]
pub struct Store {
    lease: RefCell<Option<Stored>>,
    versions: Cell<u64>,
    written: Notify,
}

impl Store {
    pub fn record(&self) -> Option<LeaseRecord> {
        Some(self.lease.borrow().as_ref()?.record.clone())
    }

    pub fn holder(&self) -> Option<String> {
        self.record()?.holder
    }

    /// Somebody deletes the Lease.
    pub fn delete(&self) {
        self.lease.take();
        self.written.notify_waiters();
    }

    /// Somebody edits the Lease, or makes one.
    pub fn edit(&self, change: impl FnOnce(&mut LeaseRecord)) {
        let mut record = self.record().unwrap_or_default();
        change(&mut record);
        self.put(record);
    }

    /// Somebody edits the Lease, if there is one.
    pub fn edit_existing(&self, change: impl FnOnce(&mut LeaseRecord)) {
        if self.record().is_some() {
            self.edit(change);
        }
    }

    fn put(&self, record: LeaseRecord) -> Stored {
        self.versions.set(self.versions.get() + 1);
        let stored = Stored {
            record,
            resource_version: self.versions.get().to_string().into(),
            object: Value::Null,
        };
        self.lease.replace(Some(stored.clone()));
        self.written.notify_waiters();
        stored
    }
}

/// A candidate's way to the Lease.
#[derive(Clone)]
pub struct Path {
    store: Rc<Store>,
    key: ObjectKey,
    pub way: Rc<Cell<Way>>,
    /// How long a request takes, there and back each.
    pub latency: Rc<Cell<Duration>>,
    /// Whether the Lease may be watched.
    pub watches: Rc<Cell<bool>>,
    pub requests: Rc<Cell<usize>>,
}

impl Path {
    pub fn to(store: &Rc<Store>) -> Self {
        Self {
            store: Rc::clone(store),
            key: ObjectKey::namespaced(&LEASES, Namespace::from("ours"), Name::from("lease")),
            way: Rc::default(),
            latency: Rc::new(Cell::new(Duration::from_millis(5))),
            watches: Rc::default(),
            requests: Rc::default(),
        }
    }

    async fn send<T>(
        &self,
        verb: Verb,
        apply: impl FnOnce(&Store) -> Result<T, Failure>,
    ) -> Result<T, ApiError> {
        self.requests.set(self.requests.get() + 1);
        let failed = |failure| ApiError::on(verb, &self.key, failure);
        sleep(self.latency.get()).await;
        let answer = match self.way.get() {
            Way::Open => apply(&self.store),
            Way::Closed => Err(Failure::NotConnected("connection refused".to_owned())),
            Way::Silent => std::future::pending().await,
            Way::AnswersLost => {
                let _ = apply(&self.store);
                Err(Failure::ConnectionLost("cut".to_owned()))
            }
            Way::Forbidden => Err(Failure::Forbidden("forbidden".to_owned())),
        };
        sleep(self.latency.get()).await;
        answer.map_err(failed)
    }
}

impl Leases for Path {
    fn key(&self) -> &ObjectKey {
        &self.key
    }

    async fn read(&self) -> Result<Option<Stored>, ApiError> {
        self.send(Verb::Get, |store| Ok(store.lease.borrow().clone()))
            .await
    }

    async fn create(&self, record: &LeaseRecord) -> Result<Stored, ApiError> {
        self.send(Verb::Create, |store| {
            if store.lease.borrow().is_some() {
                return Err(Failure::AlreadyExists("already exists".to_owned()));
            }
            Ok(store.put(record.clone()))
        })
        .await
    }

    async fn replace(&self, seen: &Stored, record: &LeaseRecord) -> Result<Stored, ApiError> {
        self.send(Verb::Update, |store| {
            let found = store.lease.borrow().clone();
            match found {
                None => Err(Failure::NotFound("not found".to_owned())),
                Some(found) if found.resource_version != seen.resource_version => {
                    Err(Failure::Conflict("modified".to_owned()))
                }
                Some(_) => Ok(store.put(record.clone())),
            }
        })
        .await
    }

    async fn vacated(&self, _seen: &Stored) {
        while self.watches.get() {
            self.store.written.notified().await;
            if self.store.holder().is_none() {
                return;
            }
        }
        std::future::pending::<()>().await;
    }
}
