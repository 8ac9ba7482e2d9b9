//! Keeps thousands of result lines off a terminal: after the first few of a kind, the rest is counted.

use std::collections::BTreeMap;

use super::words::{noun, owner_phrase, verb};
use crate::reconcile::{Outcome, Owner, ResourceType};

/// How many lines of one rule and one verb a terminal gets to see.
pub const LINES_OF_A_KIND: usize = 20;

/// Decides which result lines are printed.
#[derive(Debug, Default)]
pub struct Condenser {
    /// None where every line is printed.
    limit: Option<usize>,
    seen: BTreeMap<Kind, usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    owner: Option<Owner>,
    resource: &'static ResourceType,
    verb: &'static str,
}

impl Condenser {
    /// Prints at most so many lines of a kind, or all.
    pub fn new(limit: Option<usize>) -> Self {
        Self {
            limit,
            seen: BTreeMap::new(),
        }
    }

    /// Counts an outcome; whether its line is printed.
    pub fn admits(&mut self, outcome: &Outcome) -> bool {
        let Some(limit) = self.limit else {
            return true;
        };
        let kind = Kind {
            owner: outcome.owner.clone(),
            resource: outcome.key.resource,
            verb: verb(&outcome.event),
        };
        let seen = self.seen.entry(kind).or_default();
        *seen += 1;
        *seen <= limit
    }

    /// One line for each kind of which lines were left out.
    pub fn rest(&self) -> Vec<String> {
        let limit = self.limit.unwrap_or(usize::MAX);
        let left_out = |(kind, seen): (&Kind, &usize)| {
            let more = seen.checked_sub(limit).filter(|more| *more > 0)?;
            let by = kind
                .owner
                .as_ref()
                .map(|owner| format!(" by {}", owner_phrase(owner)));
            Some(format!(
                "… and {more} more {} {}{}",
                noun(more, kind.resource),
                kind.verb,
                by.unwrap_or_default()
            ))
        };
        self.seen.iter().filter_map(left_out).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        output::fixtures::{outcome, secret},
        reconcile::Event,
    };

    #[test]
    fn after_the_limit_lines_are_only_counted() {
        let mut condenser = Condenser::new(Some(20));
        let admitted = (0..1000).filter(|number| {
            let key = secret(&format!("team-{number}"), "regcred");
            condenser.admits(&outcome(key, Event::Created))
        });
        assert_eq!(admitted.count(), 20);
        assert!(condenser.admits(&outcome(secret("team-a", "old"), Event::Pruned)));
        assert_eq!(
            condenser.rest(),
            ["… and 980 more secrets created by rule pull-secrets"]
        );
    }

    #[test]
    fn without_a_limit_nothing_is_left_out() {
        let mut condenser = Condenser::new(None);
        assert!((0..1000).all(|_| condenser.admits(&outcome(secret("a", "b"), Event::Created))));
        assert!(condenser.rest().is_empty());
    }
}
