//! Takes in changes of rules, originals and namespaces one by one, and tells what they may have put out of step.

use std::collections::{BTreeMap, HashSet};

use super::{
    copies::Copies,
    fact::{Candidate, Fact, KnownNamespace},
    original::Original,
    rule_source::LoadedRule,
    sources,
};
use crate::reconcile::{Affected, Input, NAMESPACES, Namespace, ObjectKey, Priority, Query};

impl Copies {
    pub(super) fn take_rules(&mut self, facts: Vec<Fact>) {
        self.rules.clear();
        for fact in facts {
            if let Fact::Rule(rule) = fact {
                self.rules.insert(rule.owner.clone(), *rule);
            }
        }
        self.begin_check();
        // At the beginning the check goes on beside the reading of what rules copy.
        if self.has_read(&NAMESPACES) {
            self.end_check();
        }
    }

    pub(super) fn take_rule(&mut self, rule: LoadedRule) -> Affected {
        let known = self.rules.get_mut(&rule.owner);
        if let Some(known) = known
            && known.is_same(&rule)
        {
            known.standing = rule.standing;
            return Affected::Nothing;
        }
        // The first check may still be under way.
        self.end_check();
        self.rules.insert(rule.owner.clone(), rule);
        self.begin_check();
        self.end_check();
        self.anything()
    }

    pub(super) fn take_namespace(&mut self, namespace: KnownNamespace) -> Affected {
        let name = namespace.name.clone();
        let known = self.namespaces.insert(name.clone(), namespace);
        let priority = match &known {
            None => Priority::Newcomer,
            Some(known) if *known == self.namespaces[&name] => return Affected::Nothing,
            Some(_) => Priority::Single,
        };
        self.namespace_changed(name, priority)
    }

    pub(super) fn namespace_changed(&mut self, name: Namespace, priority: Priority) -> Affected {
        let mut rules = self.active_rules();
        if rules.any(|rule| rule.source.namespaces.contains(&name)) {
            drop(rules);
            return self.anything();
        }
        drop(rules);
        Affected::Namespace(name, priority)
    }

    pub(super) fn take_original(&mut self, query: &Query, original: Original) -> Affected {
        let key = original.key.clone();
        let holders = self.continuity.holders.entry(key.clone()).or_default();
        holders.insert(query.clone());
        let known = self.originals.insert(key.clone(), original);
        if known.is_some_and(|known| known.is_same(&self.originals[&key])) {
            return Affected::Nothing;
        }
        self.anything()
    }

    /// An original is gone from a collection; others may still hold it.
    pub(super) fn lose_original(&mut self, query: &Query, key: &ObjectKey) -> Affected {
        let Some(holders) = self.continuity.holders.get_mut(key) else {
            return Affected::Nothing;
        };
        holders.remove(query);
        if !holders.is_empty() {
            return Affected::Nothing;
        }
        self.continuity.holders.remove(key);
        self.originals.remove(key);
        self.anything()
    }

    pub(super) fn take_candidate(&mut self, query: &Query, candidate: Candidate) -> Affected {
        let candidates = self.candidates.entry(Input::List(query.clone()));
        let candidates = candidates.or_default();
        let known = candidates.insert(candidate.key, candidate.version);
        if known.is_some() {
            return Affected::Nothing;
        }
        self.anything()
    }

    pub(super) fn lose_candidate(&mut self, query: &Query, key: &ObjectKey) -> Affected {
        if let Some(candidates) = self.candidates.get_mut(&Input::List(query.clone())) {
            candidates.remove(key);
        }
        let get = Input::Get(key.clone());
        self.unreadable.remove(&get);
        if !self.is_named(key) {
            self.absorbed.remove(&get);
        }
        self.continuity.asked.remove(key);
        self.lose_original(query, key);
        self.anything()
    }

    /// Whether a rule names an original outright, so that it is followed for itself.
    fn is_named(&self, key: &ObjectKey) -> bool {
        let get = Input::Get(key.clone());
        let mut rules = self.active_rules();
        rules.any(|rule| sources::inputs(rule, |_| Vec::new()).contains(&get))
    }

    /// What a collection held and doesn't hold any more.
    pub(super) fn lose_others(&mut self, query: &Query, held: &HashSet<ObjectKey>) {
        let holders = self.continuity.holders.iter();
        let lost = holders.filter(|(key, queries)| queries.contains(query) && !held.contains(key));
        let lost: Vec<ObjectKey> = lost.map(|(key, _)| key.clone()).collect();
        for key in lost {
            self.lose_original(query, &key);
        }
        let candidates = self.candidates.get(&Input::List(query.clone()));
        let candidates = candidates.into_iter().flat_map(BTreeMap::keys);
        let lost = candidates.filter(|key| !held.contains(key));
        let lost: Vec<ObjectKey> = lost.cloned().collect();
        for key in lost {
            self.lose_candidate(query, &key);
        }
    }

    pub(super) fn take_one(&mut self, query: &Query, fact: Fact) -> Affected {
        match fact {
            Fact::Rule(rule) => self.take_rule(*rule),
            Fact::Namespace(namespace) => self.take_namespace(namespace),
            Fact::Candidate(candidate) => self.take_candidate(query, candidate),
            Fact::Original(original) => self.take_original(query, original),
            Fact::Definition { .. } => Affected::Nothing,
        }
    }

    pub(super) fn anything(&mut self) -> Affected {
        self.worked.take();
        Affected::Everything
    }
}
