//! What the checks need to know of a kind of ours.

use kube::Resource;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{places::Places, schema::Schema};
use crate::api::{CopyratorRule, ExchangeRate, Refusal};

/// A custom resource of ours, which is read from files and checked.
pub trait Kind: Resource<DynamicType = ()> + Serialize + DeserializeOwned {
    /// How messages speak of it.
    const WORDS: Words;

    /// Whether its objects are in namespaces.
    const IS_NAMESPACED: bool;

    /// The schema of its objects.
    fn schema() -> &'static Schema;

    /// What is wrong with an object that no schema can say.
    fn beyond_the_schema(object: &Value, places: &Places) -> Vec<Refusal>;
}

/// How messages speak of a kind.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// An object of it: `rule`.
    pub noun: &'static str,
    /// A good name for one.
    pub example: &'static str,
    /// Groups in which another program has a kind of this name.
    pub predecessors: &'static [&'static str],
    /// How its objects differ from those of the predecessors, and what to write instead.
    pub rewriting: &'static str,
}

/// The names of all our kinds: one file may hold objects of several.
pub(in crate::api) fn names() -> [String; 2] {
    [name::<CopyratorRule>(), name::<ExchangeRate>()]
}

fn name<K: Kind>() -> String {
    K::kind(&()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::custom_resource_definitions;

    #[test]
    fn the_kinds_are_those_that_are_defined() {
        let definitions = custom_resource_definitions();
        let defined: Vec<(&str, bool)> = definitions
            .iter()
            .map(|definition| &definition.spec)
            .map(|spec| (&*spec.names.kind, spec.scope == "Namespaced"))
            .collect();
        let scopes = [CopyratorRule::IS_NAMESPACED, ExchangeRate::IS_NAMESPACED];
        let names = names();
        let known: Vec<(&str, bool)> = names.iter().map(|name| &**name).zip(scopes).collect();
        assert_eq!(known, defined);
    }
}
