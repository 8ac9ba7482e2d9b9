//! What the engine asks of a domain whose runs are repeated.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::Prospect;
use crate::reconcile::{Domain, Owner, Query};

/// Where the owners are known from.
pub enum Owners {
    /// They are objects of the cluster, which come and go.
    Followed(Query),
    /// They are always these.
    Fixed(BTreeSet<Owner>),
}

/// Whom a run is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Due {
    /// All.
    #[default]
    Everyone,
    /// These alone: nothing of any other is touched.
    Only(BTreeSet<Owner>),
    /// All but those that need nothing yet, by what is told of them in the cluster; for these it is known
    /// from the runs before. What belongs to nobody is removed.
    Unless(BTreeSet<Owner>),
}

/// Makes the runs of a domain, one after the other.
pub trait Recurring {
    /// The domain.
    type Domain: Domain;

    /// Where its owners are known from.
    fn owners(&self) -> Owners;

    /// Whether its runs act for an owner, if it exists.
    fn acts_for(&self, owner: &Owner) -> bool;

    /// The domain for one run.
    fn domain(&self, due: Due, now: Timestamp) -> Self::Domain;

    /// What lies before each owner that the run acted for, and those that need nothing yet. Asked for once,
    /// at the end of the run.
    fn prospects(&self, domain: &mut Self::Domain, now: Timestamp) -> Vec<Prospect>;

    /// An owner is gone, with all that was its.
    fn gone(&self, owner: &Owner);
}
