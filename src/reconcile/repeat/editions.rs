//! Which edition of each owner was seen: its status is no reason for a run, what it asks for is.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use serde::Deserialize;

use crate::reconcile::{Namespace, Owner, OwnerKind, RawObject, SetName, UnexpectedShape};

/// What an owner asks for, as a number that the API server gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edition {
    uid: Box<str>,
    generation: Option<i64>,
}

#[derive(Deserialize)]
struct WithMetadata {
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Metadata {
    name: Arc<str>,
    #[serde(default)]
    namespace: Option<Namespace>,
    uid: Box<str>,
    #[serde(default)]
    generation: Option<i64>,
}

/// Reduces an owner to its name and its edition.
pub fn edition(
    kind: &'static OwnerKind,
    object: RawObject<'_>,
) -> Result<(Owner, Edition), UnexpectedShape> {
    let WithMetadata { metadata } = object.parse()?;
    let owner = Owner {
        kind,
        set: SetName::cluster(),
        namespace: metadata.namespace.filter(|_| kind.is_namespaced),
        name: metadata.name,
    };
    let edition = Edition {
        uid: metadata.uid,
        generation: metadata.generation,
    };
    Ok((owner, edition))
}

/// The owners that there are.
pub enum Editions {
    /// They are always these.
    Fixed(BTreeSet<Owner>),
    /// As they were heard of; none before anything was.
    Followed(Option<BTreeMap<Owner, Edition>>),
}

impl Editions {
    /// Whether it is known which owners there are.
    pub fn are_known(&self) -> bool {
        !matches!(self, Self::Followed(None))
    }

    /// Whether an owner is there.
    pub fn have(&self, owner: &Owner) -> bool {
        match self {
            Self::Fixed(owners) => owners.contains(owner),
            Self::Followed(known) => known
                .as_ref()
                .is_some_and(|known| known.contains_key(owner)),
        }
    }

    /// Takes in an owner that came or was changed; whether it asks for something else than before.
    pub fn hear(&mut self, owner: Owner, edition: Edition) -> bool {
        let Self::Followed(known) = self else {
            return false;
        };
        let known = known.get_or_insert_default();
        known.insert(owner, edition.clone()) != Some(edition)
    }

    /// Takes in that an owner is gone; whether it was there.
    pub fn lose(&mut self, owner: &Owner) -> bool {
        match self {
            Self::Fixed(_) | Self::Followed(None) => false,
            Self::Followed(Some(known)) => known.remove(owner).is_some(),
        }
    }

    /// Takes in all that there are; those that came, were changed, or are gone. Before that nothing was
    /// known, and so nothing has changed.
    pub fn hear_all(&mut self, all: Vec<(Owner, Edition)>) -> BTreeSet<Owner> {
        let Self::Followed(known) = self else {
            return BTreeSet::new();
        };
        let all: BTreeMap<Owner, Edition> = all.into_iter().collect();
        let former = known.replace(all);
        let Some(former) = former else {
            return BTreeSet::new();
        };
        let current = known.get_or_insert_default();
        let changed = current
            .iter()
            .filter(|(owner, edition)| former.get(owner) != Some(edition));
        let gone = former.keys().filter(|owner| !current.contains_key(owner));
        changed
            .map(|(owner, _)| owner)
            .chain(gone)
            .cloned()
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reconcile::CONFIG_MAPS;

    static KIND: OwnerKind = OwnerKind {
        resource: &CONFIG_MAPS,
        label: "example.dev/owner",
        noun: "owner",
        is_namespaced: true,
    };

    fn one(name: &str, uid: &str, generation: i64) -> (Owner, Edition) {
        let object = format!(
            r#"{{"metadata": {{"name": "{name}", "namespace": "shop", "uid": "{uid}", "generation": {generation}}}}}"#
        );
        edition(&KIND, RawObject::new(&object)).unwrap()
    }

    fn hear(editions: &mut Editions, (owner, edition): (Owner, Edition)) -> bool {
        editions.hear(owner, edition)
    }

    #[test]
    fn what_is_asked_for_matters_and_the_status_does_not() {
        let mut editions = Editions::Followed(None);
        assert!(!editions.are_known());
        assert!(editions.hear_all(vec![one("a", "1", 1)]).is_empty());
        assert!(editions.are_known());
        assert!(!hear(&mut editions, one("a", "1", 1)));
        assert!(hear(&mut editions, one("a", "1", 2)));
        assert!(hear(&mut editions, one("a", "2", 1)), "it is another one");
        assert!(hear(&mut editions, one("b", "3", 1)));
        assert!(editions.lose(&one("b", "3", 1).0));
        assert!(!editions.lose(&one("b", "3", 1).0));
    }

    #[test]
    fn a_new_list_tells_what_was_missed() {
        let mut editions = Editions::Followed(None);
        editions.hear_all(vec![
            one("same", "1", 1),
            one("changed", "2", 1),
            one("gone", "3", 1),
        ]);
        let now = vec![
            one("same", "1", 1),
            one("changed", "2", 2),
            one("new", "4", 1),
        ];
        let missed = editions.hear_all(now);
        let names: Vec<&str> = missed.iter().map(|owner| &*owner.name).collect();
        assert_eq!(names, ["changed", "gone", "new"]);
        assert!(editions.have(&one("new", "4", 1).0) && !editions.have(&one("gone", "3", 1).0));
    }

    #[test]
    fn those_of_files_never_change() {
        let (owner, edition) = one("a", "1", 1);
        let mut editions = Editions::Fixed([owner.clone()].into());
        assert!(editions.are_known() && editions.have(&owner));
        assert!(!editions.hear(owner.clone(), edition) && !editions.lose(&owner));
    }
}
