//! Reads the rules of a cluster, to say something about them without running them.

use std::{collections::BTreeSet, sync::Arc};

use super::{COPYRATOR_RULES, CopyError, rule_source::LoadedRule};
use crate::{
    api::CopyratorRule,
    reconcile::{Cluster, Depth, Pace, Query, RawObject, SetName, list},
};

/// The rules of a cluster.
#[derive(Clone, Debug, Default)]
pub struct ClusterRules {
    /// Those that can be used.
    pub rules: Vec<CopyratorRule>,
    /// The names of those that can't, and why not.
    pub unusable: Vec<(Arc<str>, String)>,
}

impl ClusterRules {
    /// Reads those with these names, or all of them when there are none.
    pub async fn read<C: Cluster>(
        cluster: &C,
        pace: &Pace,
        names: &BTreeSet<Arc<str>>,
    ) -> Result<Self, CopyError> {
        let query = Query::all(&COPYRATOR_RULES, Depth::Full);
        let read = |object: RawObject<'_>| LoadedRule::parse(object, SetName::cluster()).map(Some);
        let loaded = list(cluster, pace, &query, read).await;
        let mut loaded = loaded.map_err(|error| {
            if error.failure.is_unknown_resource() {
                CopyError::NotInstalled
            } else {
                CopyError::Api(error)
            }
        })?;
        if !names.is_empty() {
            let is_asked_for = |rule: &LoadedRule| names.contains(&rule.owner.name);
            loaded.objects.retain(is_asked_for);
        }
        all_of(&loaded.objects, names)?;
        Ok(Self::sorted_out(loaded.objects))
    }

    fn sorted_out(loaded: Vec<LoadedRule>) -> Self {
        let mut rules = Self::default();
        for LoadedRule {
            owner,
            rule,
            unchecked,
            ..
        } in loaded
        {
            match rule {
                Ok(_) => rules.rules.extend(unchecked),
                Err(problem) => rules.unusable.push((owner.name, problem)),
            }
        }
        rules
    }
}

/// A rule that was asked for by name must exist.
fn all_of(loaded: &[LoadedRule], names: &BTreeSet<Arc<str>>) -> Result<(), CopyError> {
    let known: BTreeSet<&Arc<str>> = loaded.iter().map(|rule| &rule.owner.name).collect();
    let missing = names.iter().filter(|name| !known.contains(name));
    let missing: Vec<String> = missing.map(ToString::to_string).collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(CopyError::NoSuchRules(missing))
    }
}
