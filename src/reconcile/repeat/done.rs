//! A run that has ended, and what people have been told of it.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    time::Duration,
};

use tokio::time::Instant;

use super::telling::Told;
use crate::reconcile::{Finding, Owner, Run, RunError};

/// A run that has ended.
pub struct Done<D, E: std::error::Error + 'static> {
    /// Whom it was for.
    pub owners: BTreeSet<Owner>,
    /// Whether it was about everything.
    pub is_full: bool,
    /// Since when those were waiting that were.
    pub since: BTreeMap<Owner, Instant>,
    /// The domain, at the end.
    pub domain: D,
    /// What it came to.
    pub result: Result<Run, RunError<E>>,
    /// What it told.
    pub told: Told,
    /// How long it took.
    pub took: Duration,
}

/// What people have been told and is still true, as far as is known.
#[derive(Default)]
pub struct News(HashSet<(Option<Owner>, String)>);

impl News {
    /// Those of a run's findings that haven't been told yet. What it doesn't find any more of the owners that
    /// it was for, or of the whole, isn't true any more.
    pub fn untold(
        &mut self,
        findings: Vec<Finding>,
        owners: &BTreeSet<Owner>,
        is_full: bool,
    ) -> Vec<Finding> {
        let id = |finding: &Finding| (finding.owner.clone(), finding.message.clone());
        let current: HashSet<_> = findings.iter().map(id).collect();
        let untold = findings.into_iter();
        let untold: Vec<Finding> = untold.filter(|one| !self.0.contains(&id(one))).collect();
        self.0.retain(|told| {
            let is_about = match &told.0 {
                Some(owner) => owners.contains(owner),
                None => is_full,
            };
            !is_about || current.contains(told)
        });
        self.0.extend(current);
        untold
    }
}
