//! How wide rights have to be, because a rule doesn't tell exactly what it means.

use std::{collections::BTreeSet, fmt, sync::Arc};

use super::globs::Globs;
use crate::{
    api::{Source, Target},
    reconcile::{Name, Namespace, ResourceType},
};

/// A right that is wider than the objects that a rule means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Width {
    /// The name of the rule.
    pub rule: Arc<str>,
    /// The resource that the right is about.
    pub resource: &'static ResourceType,
    /// What the right allows.
    pub breadth: Breadth,
    /// The field that is the reason, and what it says.
    pub reason: String,
}

/// What a wide right allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Breadth {
    /// All objects of a namespace can be read.
    Read(Namespace),
    /// All objects of the cluster can be read, changed and deleted.
    Change,
    /// Objects can be made in every namespace.
    Make,
}

impl fmt::Display for Width {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, reason, .. } = self;
        let objects = format!("{}s", self.resource.kind);
        write!(formatter, "rule {rule}: ")?;
        match &self.breadth {
            Breadth::Read(namespace) => write!(
                formatter,
                "all {objects} in namespace {namespace} can be read, because {reason}; exact names narrow that"
            ),
            Breadth::Change => write!(
                formatter,
                "all {objects} of the cluster can be read, changed and deleted, because {reason}, \
                 so that nobody knows what the copies are called; exact names, or a spec.target.name \
                 without {{name}}, narrow that"
            ),
            Breadth::Make => write!(
                formatter,
                "{objects} can be made in every namespace, because {reason}; exact names in \
                 spec.target.namespaces narrow that"
            ),
        }
    }
}

/// What a rule tells of some names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// All of them.
    Exactly(BTreeSet<Name>),
    /// Not which, and why.
    Vaguely(String),
}

impl Told {
    /// What a rule tells of the names of its originals.
    pub fn of_originals(source: &Source) -> Self {
        Self::new(&source.names, "spec.source.names", "spec.source.selector")
    }

    /// What a rule tells of those objects that are read to find its originals: with a selector, the API
    /// server is asked for what has the labels, whatever it is called.
    pub fn of_candidates(source: &Source) -> Self {
        match source.selector {
            Some(_) => Self::by_label("spec.source.selector"),
            None => Self::of_originals(source),
        }
    }

    /// What a rule tells of the namespaces that get copies.
    pub fn of_targets(target: &Target) -> Self {
        let (names, selector) = ("spec.target.namespaces", "spec.target.selector");
        Self::new(&target.namespaces, names, selector)
    }

    fn new(patterns: &[String], field: &'static str, selector: &'static str) -> Self {
        if patterns.is_empty() {
            return Self::by_label(selector);
        }
        let is_vague = |pattern: &&String| !Globs::is_exact(pattern);
        let vague: Vec<&str> = patterns.iter().filter(is_vague).map(|one| &**one).collect();
        if vague.is_empty() {
            return Self::Exactly(patterns.iter().map(|name| Name::from(&**name)).collect());
        }
        Self::Vaguely(format!("{field} has {}", vague.join(", ")))
    }

    fn by_label(selector: &'static str) -> Self {
        Self::Vaguely(format!("{selector} goes by labels"))
    }
}
