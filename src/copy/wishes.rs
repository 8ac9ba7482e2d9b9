//! What rules make of their originals, worked out once for all places: copies of one original differ only in
//! where they are.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    sync::{Arc, OnceLock},
};

use super::{
    derived::{Derived, Underivable, derive},
    fact::KnownNamespace,
    original::Original,
    rule::Rule,
};
use crate::reconcile::{
    Carried, ConflictPolicy, Content, Desired, Name, Namespace, ObjectKey, Owner, Policies,
    Precedence, Template,
};

/// What all rules make of their originals.
#[derive(Default)]
pub struct Wishes {
    rules: BTreeMap<Owner, RuleWishes>,
    /// All objects that a rule copies from.
    originals: HashSet<ObjectKey>,
}

/// What one rule makes of its originals.
pub struct RuleWishes {
    rule: Arc<Rule>,
    /// Whether it is known which namespaces it selects.
    is_placed: bool,
    own: BTreeSet<ObjectKey>,
    makes: Vec<Make>,
    by_name: HashMap<Name, Vec<usize>>,
    underivable: Vec<(ObjectKey, Underivable)>,
}

/// What a rule makes of one original.
struct Make {
    source: Arc<str>,
    name: Name,
    content: Arc<Content>,
    carried: Carried,
    precedence: Precedence,
    usual: OnceLock<Arc<Template>>,
    /// For a place where an original of another rule is: it is never taken over.
    careful: OnceLock<Arc<Template>>,
}

impl Wishes {
    /// What these rules make of these originals. `is_placed` says of which rules it is known which namespaces
    /// they select: the others want nothing. `unknown` says of which namespaces it isn't known what
    /// originals of a rule they hold: what might come from there is not wanted from a later one either, and
    /// so stays as it is.
    pub fn new<'a>(
        rules: impl Iterator<Item = &'a Arc<Rule>>,
        originals: &BTreeMap<ObjectKey, Original>,
        is_placed: impl Fn(&Rule) -> bool,
        unknown: impl Fn(&Rule, &Namespace) -> bool,
    ) -> Self {
        let rules = rules.map(|rule| {
            let unknown = |namespace: &_| unknown(rule, namespace);
            let wishes = RuleWishes::new(rule, originals, is_placed(rule), unknown);
            (rule.owner.clone(), wishes)
        });
        let rules: BTreeMap<_, _> = rules.collect();
        let own = rules.values().flat_map(|wishes| wishes.own.iter());
        Self {
            originals: own.cloned().collect(),
            rules,
        }
    }

    /// Whether a rule copies from this object.
    pub fn is_original(&self, key: &ObjectKey) -> bool {
        self.originals.contains(key)
    }

    /// Of which originals a rule can make no copies, and why.
    pub fn underivable(&self, owner: &Owner) -> &[(ObjectKey, Underivable)] {
        let wishes = self.rules.get(owner);
        wishes.map_or(&[], |wishes| &wishes.underivable)
    }

    /// The copies that are wanted in a namespace. `is_taken` says where an original is, as far as that is
    /// known: it is never taken over.
    pub fn in_namespace(
        &self,
        namespace: &KnownNamespace,
        is_taken: impl Fn(&ObjectKey) -> bool,
    ) -> Vec<Desired> {
        let rules = self.rules.values();
        let selecting = rules.filter(|wishes| wishes.selects(namespace));
        selecting
            .flat_map(|wishes| wishes.makes.iter().map(move |make| (wishes, make)))
            .filter_map(|(wishes, make)| wishes.desired(make, &namespace.name, &is_taken))
            .collect()
    }

    /// The claims on one object, in a namespace that is known.
    pub fn claims(
        &self,
        key: &ObjectKey,
        namespace: &KnownNamespace,
        is_taken: impl Fn(&ObjectKey) -> bool,
    ) -> Vec<Desired> {
        let rules = self.rules.values();
        let selecting = rules
            .filter(|wishes| wishes.rule.resource == key.resource && wishes.selects(namespace));
        let mut claims: Vec<Desired> = selecting
            .flat_map(|wishes| {
                let indices = wishes.by_name.get(&key.name).into_iter().flatten();
                indices.map(move |index| (wishes, &wishes.makes[*index]))
            })
            .filter_map(|(wishes, make)| wishes.desired(make, &namespace.name, &is_taken))
            .collect();
        claims.sort_by(|one, other| one.rank().cmp(&other.rank()));
        claims
    }
}

impl RuleWishes {
    fn new(
        rule: &Arc<Rule>,
        originals: &BTreeMap<ObjectKey, Original>,
        is_placed: bool,
        unknown: impl Fn(&Namespace) -> bool,
    ) -> Self {
        let mut wishes = Self {
            rule: Arc::clone(rule),
            is_placed,
            own: BTreeSet::new(),
            makes: Vec::new(),
            by_name: HashMap::new(),
            underivable: Vec::new(),
        };
        for original in chosen(rule, originals) {
            wishes.own.insert(original.key.clone());
            match derive(rule, original) {
                Err(error) => wishes.underivable.push((original.key.clone(), error)),
                Ok(_) if may_come_second(rule, original, &unknown) => {}
                Ok(derived) => wishes.add(Make::new(rule, original, derived)),
            }
        }
        wishes
    }

    fn add(&mut self, make: Make) {
        let index = self.makes.len();
        self.by_name
            .entry(make.name.clone())
            .or_default()
            .push(index);
        self.makes.push(make);
    }

    fn selects(&self, namespace: &KnownNamespace) -> bool {
        let target = &self.rule.target;
        self.is_placed
            && !namespace.leaving
            && target.selects(namespace.name.as_str(), &namespace.labels)
    }

    /// Neither onto itself, nor onto another original of the same rule.
    fn desired(
        &self,
        make: &Make,
        namespace: &Namespace,
        is_taken: impl Fn(&ObjectKey) -> bool,
    ) -> Option<Desired> {
        let name = make.name.clone();
        let key = ObjectKey::namespaced(self.rule.resource, namespace.clone(), name);
        (!self.own.contains(&key)).then(|| Desired {
            template: make.template(&self.rule, is_taken(&key)),
            key,
        })
    }
}

/// Whether an earlier namespace of the rule may hold an original of the same name.
fn may_come_second(rule: &Rule, original: &Original, unknown: impl Fn(&Namespace) -> bool) -> bool {
    let namespaces = rule.source.namespaces.iter();
    let mut earlier = namespaces.take_while(|one| Some(*one) != original.key.namespace.as_ref());
    earlier.any(unknown)
}

/// The originals that a rule selects and that may be copied.
pub fn chosen<'a>(
    rule: &'a Rule,
    originals: &'a BTreeMap<ObjectKey, Original>,
) -> impl Iterator<Item = &'a Original> {
    originals.values().filter(|original| {
        let r#type = original.content.r#type.as_deref();
        original.exclusion.is_none() && rule.selects(&original.key, &original.labels, r#type)
    })
}

impl Make {
    fn new(rule: &Rule, original: &Original, derived: Derived) -> Self {
        let namespaces = &rule.source.namespaces;
        let source = namespaces
            .iter()
            .position(|one| Some(one) == original.key.namespace.as_ref());
        Self {
            source: original.key.path().into(),
            name: derived.name,
            content: derived.content,
            carried: derived.carried,
            precedence: Precedence {
                created: Arc::clone(&rule.created),
                source: source.unwrap_or(namespaces.len()),
            },
            usual: OnceLock::new(),
            careful: OnceLock::new(),
        }
    }

    fn template(&self, rule: &Rule, is_taken: bool) -> Arc<Template> {
        let usual = rule.policies;
        let (cell, policies) = if is_taken {
            let conflict = ConflictPolicy::Skip;
            (&self.careful, Policies { conflict, ..usual })
        } else {
            (&self.usual, usual)
        };
        let template = || {
            Arc::new(Template::new(
                rule.owner.clone(),
                Arc::clone(&self.source),
                Arc::clone(&self.content),
                self.carried.clone(),
                policies,
                self.precedence.clone(),
            ))
        };
        Arc::clone(cell.get_or_init(template))
    }
}
