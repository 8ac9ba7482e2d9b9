//! What an election asks of the cluster; the room `cluster` answers, and tests may.

use serde_json::Value;

use super::LeaseRecord;
use crate::reconcile::{ApiError, ObjectKey};

/// A Lease as it was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stored {
    /// What it says.
    pub record: LeaseRecord,
    /// Which state of it this is: opaque, only ever compared for equality.
    pub resource_version: Box<str>,
    /// All of it as the API server gave it: what isn't the election's stays as it is.
    pub object: Value,
}

/// One Lease in a cluster.
#[expect(
    async_fn_in_trait,
    reason = "an election runs on one thread, so no future need be Send"
)]
pub trait Leases {
    /// Which Lease it is.
    fn key(&self) -> &ObjectKey;

    /// Reads the newest state, and no older one from a cache; none when there is no such Lease.
    async fn read(&self) -> Result<Option<Stored>, ApiError>;

    /// Makes the Lease. Fails with `AlreadyExists` if there is one.
    async fn create(&self, record: &LeaseRecord) -> Result<Stored, ApiError>;

    /// Writes a record over the Lease in the state that was seen. Fails with `Conflict` if it is in
    /// another one, and with `NotFound` if it is gone.
    async fn replace(&self, seen: &Stored, record: &LeaseRecord) -> Result<Stored, ApiError>;

    /// Waits until there is reason to read it before its time: it seems to be held by nobody. May wait
    /// forever, and may end without that reason.
    async fn vacated(&self, _seen: &Stored) {
        std::future::pending::<()>().await;
    }
}
