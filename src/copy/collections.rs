//! Where copies are, and how they are found by those who may not list them all.

use std::collections::BTreeSet;

use super::{copies::Copies, rule::Rule};
use crate::reconcile::{CONFIG_MAPS, Collection, Name, ObjectKey, ResourceType, SECRETS};

/// Where copies are.
pub fn collections() -> Vec<Collection> {
    vec![
        Collection::everywhere(&CONFIG_MAPS),
        Collection::everywhere(&SECRETS),
    ]
}

impl Rule {
    /// The names of all copies that the rule may ever want, if its source names its originals outright.
    pub fn copy_names(&self) -> Option<BTreeSet<Name>> {
        let names = self.source.names.as_ref()?.exact()?;
        let places = self.source.namespaces.iter();
        let originals = places.flat_map(|namespace| {
            names.iter().map(|name| {
                ObjectKey::namespaced(self.resource, namespace.clone(), Name::from(name.as_str()))
            })
        });
        // What can't be a name is told where the copies are derived.
        let rendered = originals.filter_map(|original| self.name.render(&original).ok());
        Some(rendered.collect())
    }
}

impl Copies {
    /// All copies of a resource; or those of the names that rules give them, where nobody may list them all: RBAC
    /// lets single names be listed (`metadata.name`, as `resourceNames` allow it).
    pub(super) fn readable_collections(&self) -> Vec<Collection> {
        let broad = collections().into_iter();
        broad
            .flat_map(|broad| {
                if self.is_unlisted_collection(&broad) {
                    self.named_collections(broad.resource)
                } else {
                    vec![broad]
                }
            })
            .collect()
    }

    fn is_unlisted_collection(&self, collection: &Collection) -> bool {
        self.unlisted.iter().any(|(one, _)| one == collection)
    }

    /// One collection for each name that copies have; none where rules don't tell all names.
    fn named_collections(&self, resource: &'static ResourceType) -> Vec<Collection> {
        let rules = self.active_rules();
        let rules = rules.filter(|rule| rule.resource == resource);
        let names: Option<Vec<BTreeSet<Name>>> = rules.map(|rule| rule.copy_names()).collect();
        let names: BTreeSet<Name> = names.unwrap_or_default().into_iter().flatten().collect();
        let of_name = |name| Collection {
            name: Some(name),
            ..Collection::everywhere(resource)
        };
        names.into_iter().map(of_name).collect()
    }

    /// Whether copies of a resource couldn't be listed, neither all nor by their names.
    pub(super) fn is_unlisted(&self, resource: &'static ResourceType) -> bool {
        let readable = self.readable_collections();
        let mut readable = readable.iter().filter(|one| one.resource == resource);
        let is_broad = |one: &Collection| one.name.is_none();
        let some = readable.clone().next().is_some();
        !some || readable.any(|one| !is_broad(one) && self.is_unlisted_collection(one))
    }
}
