//! The objects of the owners as they are heard of: which changes are somebody else's, and which are no more
//! than the echo of what we wrote.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::reconcile::{
    Collection, Decision, Desired, Found, Loaded, ObjectKey, Observed, Owner, Pruning, Scope,
    SetName, decide,
};

/// The objects of the owners as they are heard of.
#[derive(Default)]
pub struct Places {
    known: HashMap<ObjectKey, Found>,
    /// What each object should be, by the last run for its owner.
    expected: HashMap<ObjectKey, Desired>,
    /// Where each owner's object should be.
    homes: HashMap<Owner, ObjectKey>,
    /// What was heard of its objects while a run was under way for an owner.
    heard: HashMap<Owner, Vec<(ObjectKey, Option<Found>)>>,
}

impl Places {
    /// Takes in a state of an object, none if it is gone; and gives the owner whose object isn't as it should
    /// be for it. While a run is under way for that one, nothing can be told.
    pub fn hear(
        &mut self,
        key: &ObjectKey,
        state: Option<Found>,
        is_busy: impl Fn(&Owner) -> bool,
    ) -> Option<Owner> {
        let former = self.known.get(key);
        let is_known = match (former, &state) {
            (Some(former), Some(state)) => former.version == state.version,
            (None, None) => !self.expected.contains_key(key),
            _ => false,
        };
        if is_known {
            return None;
        }
        let owner = self.owner(key, state.as_deref())?;
        match &state {
            Some(state) => self.known.insert(key.clone(), state.clone()),
            None => self.known.remove(key),
        };
        if is_busy(&owner) {
            let heard = self.heard.entry(owner).or_default();
            heard.push((key.clone(), state));
            return None;
        }
        (!self.is_in_step(key, &owner, state.as_deref())).then_some(owner)
    }

    /// Takes in all objects of a collection; and gives the owners as above.
    pub fn hear_all(
        &mut self,
        collection: &Collection,
        found: Vec<Found>,
        is_busy: impl Fn(&Owner) -> bool,
    ) -> BTreeSet<Owner> {
        let there: HashSet<ObjectKey> = found.iter().map(|found| found.key.clone()).collect();
        let known = self.known.keys().chain(self.expected.keys());
        let gone = known.filter(|key| collection.contains(key) && !there.contains(*key));
        let gone: HashSet<ObjectKey> = gone.cloned().collect();
        let gone = gone.into_iter().map(|key| (key, None));
        let found = found.into_iter().map(|one| (one.key.clone(), Some(one)));
        found
            .chain(gone)
            .filter_map(|(key, state)| self.hear(&key, state, &is_busy))
            .collect()
    }

    /// Whose object it is: the one that wants it, or the one it is marked with.
    fn owner(&self, key: &ObjectKey, state: Option<&Observed>) -> Option<Owner> {
        if let Some(expected) = self.expected.get(key) {
            return Some(expected.template.owner.clone());
        }
        let state = state.or_else(|| self.known.get(key).map(|known| &**known));
        state?.marks.owner.clone()
    }

    fn is_in_step(&self, key: &ObjectKey, owner: &Owner, state: Option<&Observed>) -> bool {
        match (self.expected.get(key), state) {
            (Some(desired), state) => {
                decide(Some(desired), state, &[], &nobody()) == Decision::Nothing
            }
            // It was removed from a place that its owner has left.
            (None, None) => self.homes.contains_key(owner),
            (None, Some(_)) => false,
        }
    }

    /// A run for an owner has ended; `wrote` says what it wrote. Whether something was changed meanwhile that
    /// the run can't have seen.
    pub fn settle(
        &mut self,
        owner: &Owner,
        desired: Option<Desired>,
        wrote: &HashSet<ObjectKey>,
    ) -> bool {
        let heard = self.heard.remove(owner).unwrap_or_default();
        let Some(desired) = desired else {
            return false;
        };
        let key = desired.key.clone();
        self.leave(owner);
        self.homes.insert(owner.clone(), key.clone());
        self.expected.insert(key.clone(), desired);
        let states = heard.iter().filter(|(heard, _)| *heard == key);
        let mut in_step = states.map(|(_, state)| self.is_in_step(&key, owner, state.as_deref()));
        let Some(last) = in_step.next_back() else {
            return false;
        };
        // Of what was written the echo may not have come yet: what was heard is older.
        let is_news = !wrote.contains(&key) || in_step.any(|in_step| in_step);
        is_news && !last
    }

    /// An owner is gone, with all that it wanted.
    pub fn forget(&mut self, owner: &Owner) {
        self.leave(owner);
        self.heard.remove(owner);
    }

    /// Nothing is expected any more where an owner's object was.
    fn leave(&mut self, owner: &Owner) {
        if let Some(home) = self.homes.remove(owner)
            && self
                .expected
                .get(&home)
                .is_some_and(|known| known.template.owner == *owner)
        {
            self.expected.remove(&home);
        }
    }
}

/// Of other owners nothing is known.
fn nobody() -> Scope {
    Scope {
        set: SetName::cluster(),
        loaded: Loaded::Only(BTreeSet::new()),
        withheld: BTreeSet::new(),
        orphaning: BTreeSet::new(),
        kept_sources: HashSet::new(),
        leaving: HashSet::new(),
        pruning: Pruning::Off,
    }
}

#[cfg(test)]
#[path = "places_tests.rs"]
mod tests;
