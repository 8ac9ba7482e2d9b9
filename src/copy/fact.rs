//! What each object that is read is reduced to.

use std::collections::BTreeMap;

use serde::{Deserialize, de::IgnoredAny};

use super::{
    original::{Original, parse_candidate},
    rule_source::{COPYRATOR_RULES, LoadedRule},
};
use crate::reconcile::{
    DEFINITIONS, Depth, Input, NAMESPACES, Namespace, ObjectKey, RawObject, SetName,
    UnexpectedShape,
};

/// What one object says that matters for copying.
pub enum Fact {
    /// A rule.
    Rule(Box<LoadedRule>),
    /// A namespace.
    Namespace(KnownNamespace),
    /// An object that a rule's globs select.
    Candidate(Candidate),
    /// An object that a rule may copy.
    Original(Original),
    /// The definition of the rules.
    Definition {
        /// Whether it is being deleted.
        leaving: bool,
    },
}

/// An object that a rule's globs select, of which only the metadata was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Which object.
    pub key: ObjectKey,
    /// Its resourceVersion.
    pub version: Box<str>,
}

/// A namespace, with what rules select it by.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct KnownNamespace {
    /// Its name.
    pub name: Namespace,
    /// Its labels.
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
    /// When its deletion began, if it did.
    #[serde(default, rename = "deletionTimestamp", deserialize_with = "is_there")]
    pub leaving: bool,
}

#[derive(Deserialize)]
struct DefinitionObject {
    metadata: DefinitionMetadata,
}

#[derive(Deserialize)]
struct DefinitionMetadata {
    #[serde(default, rename = "deletionTimestamp", deserialize_with = "is_there")]
    leaving: bool,
}

#[derive(Deserialize)]
struct NamespaceObject {
    metadata: KnownNamespace,
}

fn is_there<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Ok(Option::<IgnoredAny>::deserialize(deserializer)?.is_some())
}

/// Reduces an object of an input.
pub fn reduce(input: &Input, object: RawObject<'_>) -> Result<Fact, UnexpectedShape> {
    match input {
        Input::Feed(feed) => match *feed {},
        Input::Get(key) if key.resource == &DEFINITIONS => {
            let leaving = object.parse::<DefinitionObject>()?.metadata.leaving;
            Ok(Fact::Definition { leaving })
        }
        Input::Get(key) => Ok(Fact::Original(Original::parse(key.resource, object)?)),
        Input::List(query) if query.resource == &NAMESPACES => {
            Ok(Fact::Namespace(object.parse::<NamespaceObject>()?.metadata))
        }
        Input::List(query) if query.resource == &COPYRATOR_RULES => Ok(Fact::Rule(Box::new(
            LoadedRule::parse(object, SetName::cluster())?,
        ))),
        Input::List(query) if query.depth == Depth::Metadata => {
            Ok(Fact::Candidate(parse_candidate(query.resource, object)?))
        }
        Input::List(query) => Ok(Fact::Original(Original::parse(query.resource, object)?)),
    }
}
