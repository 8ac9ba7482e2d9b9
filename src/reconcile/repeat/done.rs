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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reconcile::{CONFIG_MAPS, OwnerKind, SetName, Severity};

    static KIND: OwnerKind = OwnerKind {
        resource: &CONFIG_MAPS,
        label: "example.dev/owner",
        noun: "owner",
        is_namespaced: false,
    };

    fn owner(name: &str) -> Owner {
        Owner {
            kind: &KIND,
            set: SetName::cluster(),
            namespace: None,
            name: name.into(),
        }
    }

    fn finding(name: Option<&str>, message: &str) -> Finding {
        Finding {
            severity: Severity::Warning,
            owner: name.map(owner),
            message: message.to_owned(),
            cause: None,
        }
    }

    #[test]
    fn what_lasts_is_told_once_and_what_comes_back_again() {
        let mut news = News::default();
        let mut told = |findings: &[Finding], owners: &[&str], is_full| {
            let owners = owners.iter().map(|name| owner(name)).collect();
            news.untold(findings.to_vec(), &owners, is_full).len()
        };
        let (a, all) = (finding(Some("a"), "down"), finding(None, "unlisted"));
        let both = [a.clone(), all.clone()];
        assert_eq!(told(&both, &["a", "b"], true), 2);
        assert_eq!(told(&both, &["a", "b"], true), 0);
        assert_eq!(told(&[], &["b"], false), 0);
        assert_eq!(told(&both, &["a"], false), 0, "it still lasts");
        assert_eq!(told(&[], &["a"], false), 0);
        assert_eq!(told(&both, &["a"], false), 1, "a is down again");
        assert_eq!(told(&[], &[], true), 0);
        assert_eq!(told(&[all], &[], true), 1);
    }
}
