//! Checks rules from the cluster against their schema: an older definition of the resource may have let in
//! what is refused today.
//!
//! To compile the schema's rules takes longer than a small cluster needs to answer, so it is done beside
//! the reading of what the rules copy. Reading does no harm; nothing is decided before the check is done.

use std::thread::{self, JoinHandle};

use crate::{
    api::{CopyratorRule, validate},
    reconcile::Owner,
};

/// A check that is under way.
pub struct Check(JoinHandle<Vec<(Owner, String)>>);

impl Check {
    /// Begins to check these rules.
    pub fn begin(rules: Vec<(Owner, CopyratorRule)>) -> Self {
        Self(thread::spawn(move || {
            let problems = rules
                .into_iter()
                .filter_map(|(owner, rule)| Some((owner, problem(&rule)?)));
            problems.collect()
        }))
    }

    /// Waits for the end; which rules can't be used, and why.
    pub fn end(self) -> Vec<(Owner, String)> {
        self.0.join().expect("a check doesn't panic")
    }
}

fn problem(rule: &CopyratorRule) -> Option<String> {
    let refusals = validate(rule);
    let refusals: Vec<String> = refusals.iter().map(ToString::to_string).collect();
    (!refusals.is_empty()).then(|| refusals.join("; "))
}
