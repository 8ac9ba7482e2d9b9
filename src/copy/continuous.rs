//! Copying without an end: what the cluster tells of rules, originals and namespaces, change by change.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
};

use super::{
    copies::Copies,
    fact::Fact,
    rule::Rule,
    rule_source::{COPYRATOR_RULES, RuleSource},
    sources,
};
use crate::reconcile::{
    Affected, ApiError, Collection, ContinuousDomain, Depth, Desired, Followed, Input, NAMESPACES,
    Name, Namespace, ObjectKey, Priority, Query, Verb,
};

/// What only matters where changes are followed.
#[derive(Default)]
pub struct Continuity {
    /// Which collections hold an original.
    pub(super) holders: HashMap<ObjectKey, HashSet<Query>>,
    /// Which state of the objects that globs select was asked for.
    pub(super) asked: HashMap<ObjectKey, Box<str>>,
    /// By which labels namespaces could be selected when they were read; none if they weren't: others aren't held.
    label_keys: Option<BTreeSet<String>>,
}

const BY_NAME: &str = "metadata.name=";

/// What a rule names outright is followed as a collection of one.
fn query_of(input: Input) -> Query {
    match input {
        Input::Feed(feed) => match feed {},
        Input::List(query) => query,
        Input::Get(key) => Query {
            namespace: key.namespace,
            fields: format!("{BY_NAME}{}", key.name),
            ..Query::all(key.resource, Depth::Full)
        },
    }
}

/// The input that a collection is followed for.
fn input_of(query: &Query) -> Input {
    match query.fields.strip_prefix(BY_NAME) {
        Some(name) => Input::Get(ObjectKey {
            namespace: query.namespace.clone(),
            resource: query.resource,
            name: Name::from(name),
        }),
        None => Input::List(query.clone()),
    }
}

fn digest(parts: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    parts.hash(&mut hasher);
    hasher.finish()
}

impl Copies {
    fn has_rules(&self) -> bool {
        match self.rule_source {
            RuleSource::Files { .. } => true,
            RuleSource::Cluster { .. } => self.has_read(&COPYRATOR_RULES),
        }
    }

    pub(super) fn has_read(&self, resource: &'static crate::reconcile::ResourceType) -> bool {
        self.absorbed
            .iter()
            .any(|input| matches!(input, Input::List(query) if query.resource == resource))
    }

    fn label_keys(&self) -> BTreeSet<String> {
        let rules = self.active_rules();
        let keys = rules.flat_map(|rule| rule.target.label_keys());
        keys.map(ToOwned::to_owned).collect()
    }

    /// Whether all labels are known by which a rule selects namespaces. Where they aren't, none is selected: one
    /// that a label excludes would be.
    pub(super) fn knows_places_of(&self, rule: &Rule) -> bool {
        let known = self.continuity.label_keys.as_ref();
        known.is_none_or(|known| rule.target.label_keys().all(|key| known.contains(key)))
    }

    /// The collections that rules copy from, with the globs that select from them where it is globs.
    fn followed_sources(&self) -> BTreeMap<String, Followed> {
        let mut globs: HashMap<Query, BTreeSet<&str>> = HashMap::new();
        for rule in self.active_rules() {
            for input in sources::inputs(rule, |_| Vec::new()) {
                let query = query_of(input);
                let patterns = globs.entry(query.clone()).or_default();
                if query.depth == Depth::Metadata
                    && let Some(names) = &rule.source.names
                {
                    patterns.extend(names.patterns().iter().map(String::as_str));
                }
            }
        }
        let followed = globs.into_iter().map(|(query, globs)| {
            let filter = digest(&globs);
            (format!("{query:?}"), Followed { query, filter })
        });
        followed.collect()
    }
}

fn key_of(fact: &Fact) -> Option<&ObjectKey> {
    match fact {
        Fact::Candidate(candidate) => Some(&candidate.key),
        Fact::Original(original) => Some(&original.key),
        Fact::Rule(_) | Fact::Namespace(_) | Fact::Definition { .. } => None,
    }
}

impl ContinuousDomain for Copies {
    /// First the rules: by which labels namespaces are selected, and so what is kept of them, they tell.
    fn followed(&self) -> Vec<Followed> {
        let mut followed = Vec::new();
        if let RuleSource::Cluster { .. } = self.rule_source {
            let query = Query::all(&COPYRATOR_RULES, Depth::Full);
            followed.push(Followed { query, filter: 0 });
        }
        if self.has_rules() {
            followed.push(Followed {
                query: Query::all(&NAMESPACES, Depth::Metadata),
                filter: digest(&self.label_keys()),
            });
            followed.extend(self.followed_sources().into_values());
        }
        followed
    }

    fn listed(&mut self, query: &Query, facts: Vec<Fact>) -> Affected {
        let input = input_of(query);
        self.unreadable.remove(&input);
        if query.resource == &COPYRATOR_RULES {
            self.take_rules(facts);
        } else if query.resource == &NAMESPACES {
            self.namespaces.clear();
            self.continuity.label_keys = Some(self.label_keys());
            self.end_check();
            for fact in facts {
                self.take_one(query, fact);
            }
        } else {
            let held = facts.iter().filter_map(key_of).cloned().collect();
            self.lose_others(query, &held);
            for fact in facts {
                self.take_one(query, fact);
            }
        }
        self.absorbed.insert(input);
        self.anything()
    }

    fn applied(&mut self, query: &Query, fact: Fact) -> Affected {
        self.take_one(query, fact)
    }

    fn deleted(&mut self, query: &Query, fact: &Fact) -> Affected {
        match fact {
            Fact::Rule(rule) => {
                self.rules.remove(&rule.owner);
                self.anything()
            }
            Fact::Namespace(namespace) => {
                self.namespaces.remove(&namespace.name);
                self.namespace_changed(namespace.name.clone(), Priority::Single)
            }
            Fact::Candidate(candidate) => self.lose_candidate(query, &candidate.key),
            Fact::Original(original) => self.lose_original(query, &original.key),
            Fact::Definition { .. } => Affected::Nothing,
        }
    }

    fn unreadable(&mut self, query: &Query, error: &ApiError) -> Affected {
        let input = input_of(query);
        let is_vital = query.resource == &COPYRATOR_RULES || query.resource == &NAMESPACES;
        // Whether it may still be read, only a list tells.
        let is_in_doubt = error.failure.is_transient() || error.verb == Verb::Watch;
        let is_believed = self.absorbed.contains(&input) && is_in_doubt;
        if is_vital || is_believed {
            return Affected::Nothing;
        }
        self.absorbed.insert(input.clone());
        self.unreadable.insert(input, error.clone());
        self.anything()
    }

    fn forgotten(&mut self, query: &Query) {
        let input = input_of(query);
        self.lose_others(query, &HashSet::new());
        self.candidates.remove(&input);
        self.unreadable.remove(&input);
        self.absorbed.remove(&input);
        if let Input::Get(key) = &input {
            // Globs may select it, too: then it is read for them.
            self.continuity.asked.remove(key);
        }
        self.worked.take();
    }

    fn collection_read(&mut self, collection: &Collection) {
        self.unlisted.retain(|(unlisted, _)| unlisted != collection);
    }

    fn unread(&mut self) -> Vec<ObjectKey> {
        let candidates = self.candidates.values().flatten();
        let unread = candidates.filter(|(key, version)| {
            let asked = self.continuity.asked.get(*key);
            asked != Some(*version)
        });
        let unread: Vec<_> = unread
            .map(|(key, version)| (key.clone(), version.clone()))
            .collect();
        let keys = unread.iter().map(|(key, _)| key.clone()).collect();
        self.continuity.asked.extend(unread);
        keys
    }

    fn read_whole(&mut self, key: &ObjectKey, read: Result<Option<Fact>, ApiError>) -> Affected {
        let input = Input::Get(key.clone());
        let lists = self.candidates.iter();
        let lists = lists.filter(|(_, candidates)| candidates.contains_key(key));
        let queries: Vec<Query> = lists
            .filter_map(|(list, _)| match list {
                Input::List(query) => Some(query.clone()),
                _ => None,
            })
            .collect();
        if queries.is_empty() {
            return Affected::Nothing;
        }
        let was_known = !self.absorbed.insert(input.clone());
        let was_readable = self.unreadable.remove(&input).is_none();
        match read {
            Ok(Some(Fact::Original(original))) => {
                for query in &queries[1..] {
                    let holders = self.continuity.holders.entry(key.clone()).or_default();
                    holders.insert(query.clone());
                }
                let affected = self.take_original(&queries[0], original);
                if was_known && was_readable {
                    return affected;
                }
            }
            Ok(_) => {
                for query in &queries {
                    self.lose_original(query, key);
                }
            }
            Err(error) => {
                self.unreadable.insert(input, error);
            }
        }
        self.anything()
    }

    fn is_informed(&self) -> bool {
        self.has_rules() && self.has_read(&NAMESPACES)
    }

    fn is_complete(&self) -> bool {
        self.is_informed()
            && self
                .active_rules()
                .flat_map(|rule| self.source_inputs(rule))
                .all(|input| self.absorbed.contains(&input))
            && self.active_rules().all(|rule| self.knows_places_of(rule))
    }

    fn has_place(&self, key: &ObjectKey) -> bool {
        let namespace = key.namespace.as_ref();
        namespace.is_some_and(|namespace| self.namespaces.contains_key(namespace))
    }

    fn claims(&self, key: &ObjectKey) -> Vec<Desired> {
        let namespace = key.namespace.as_ref();
        let known = namespace.and_then(|namespace| self.namespaces.get(namespace));
        known.map_or_else(Vec::new, |namespace| {
            let wishes = &self.worked().wishes;
            wishes.claims(key, namespace, |key| self.is_taken(key))
        })
    }

    fn wanted_in(&self, namespace: &Namespace) -> Vec<Desired> {
        let known = self.namespaces.get(namespace);
        known.map_or_else(Vec::new, |namespace| {
            let wishes = &self.worked().wishes;
            wishes.in_namespace(namespace, |key| self.is_taken(key))
        })
    }

    fn begin_account(&mut self) {
        self.progress.clear();
    }
}
