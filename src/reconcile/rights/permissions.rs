//! The rights that somebody needs to run with certain owners, as RBAC grants them.

use std::collections::{BTreeMap, BTreeSet};

use super::Access;
use crate::reconcile::{Name, Namespace, ResourceType, Verb};

/// How somebody runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Once, until everything is in step.
    Once,
    /// All the time, following what changes.
    Watching,
}

/// Objects that RBAC can tell from others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Objects {
    /// The namespace that they are in; all of them, and none, when none.
    pub namespace: Option<Namespace>,
    /// The resource that they are of.
    pub resource: &'static ResourceType,
    /// The part of each that is meant, such as `status`; all else of it when none.
    pub subresource: Option<&'static str>,
    /// The name that they have; any when none.
    pub name: Option<Name>,
}

/// Verbs that are allowed on objects of one resource in one place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Permission {
    /// The namespace; the whole cluster when none.
    pub namespace: Option<Namespace>,
    /// The resource.
    pub resource: &'static ResourceType,
    /// The part of each object that is meant, such as `status`; all else of it when none.
    pub subresource: Option<&'static str>,
    /// The names of the objects; empty for all of them.
    pub names: Vec<Name>,
    /// What is allowed.
    pub verbs: Vec<Verb>,
}

/// The rights that somebody needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permissions(BTreeMap<Objects, BTreeSet<Verb>>);

impl Manner {
    /// What reading a collection needs.
    pub fn reading(self) -> &'static [Verb] {
        match self {
            Self::Once => &[Verb::Get, Verb::List],
            Self::Watching => &[Verb::Get, Verb::List, Verb::Watch],
        }
    }

    /// What keeping objects of ours in step needs, but for making them: replacing one is cheaper than
    /// changing it, and not always possible.
    pub fn keeping(self) -> impl Iterator<Item = Verb> {
        let reading = self.reading().iter().copied();
        reading.chain([Verb::Update, Verb::Patch, Verb::Delete])
    }
}

impl Objects {
    /// All objects of a resource, everywhere.
    pub fn all(resource: &'static ResourceType) -> Self {
        Self {
            namespace: None,
            resource,
            subresource: None,
            name: None,
        }
    }

    /// The statuses of all objects of a resource, everywhere.
    pub fn statuses(resource: &'static ResourceType) -> Self {
        Self {
            subresource: Some("status"),
            ..Self::all(resource)
        }
    }

    /// Of these, those in one namespace.
    #[must_use]
    pub fn within(self, namespace: Namespace) -> Self {
        Self {
            namespace: Some(namespace),
            ..self
        }
    }

    /// Of these, those with this name.
    #[must_use]
    pub fn named(self, name: Name) -> Self {
        Self {
            name: Some(name),
            ..self
        }
    }

    /// All the sets of objects, other than these themselves, that have them all in them.
    fn wider(&self) -> impl Iterator<Item = Self> {
        let anywhere = || Self {
            namespace: None,
            ..self.clone()
        };
        let nameless = |objects: Self| Self {
            name: None,
            ..objects
        };
        let wider = [anywhere(), nameless(self.clone()), nameless(anywhere())];
        wider.into_iter().filter(move |wider| wider != self)
    }
}

impl Permissions {
    /// Adds the right to do this with these objects.
    pub fn allow(&mut self, verbs: impl IntoIterator<Item = Verb>, objects: Objects) {
        self.0.entry(objects).or_default().extend(verbs);
    }

    /// Adds all the rights of another one.
    pub fn extend(&mut self, other: Self) {
        for (objects, verbs) in other.0 {
            self.allow(verbs, objects);
        }
    }

    /// As few permissions as grant just these rights, those for the whole cluster first: what a wider
    /// one allows isn't repeated, and names with the same verbs are together.
    pub fn smallest(&self) -> Vec<Permission> {
        let mut alike: BTreeMap<_, BTreeSet<Name>> = BTreeMap::new();
        for (objects, verbs) in self.needed() {
            let Objects {
                namespace,
                resource,
                subresource,
                name,
            } = objects;
            let is_named = name.is_some();
            let place = (namespace, resource, subresource, is_named, verbs);
            alike.entry(place).or_default().extend(name);
        }
        let permission = |((namespace, resource, subresource, _, verbs), names)| Permission {
            namespace,
            resource,
            subresource,
            names: BTreeSet::into_iter(names).collect(),
            verbs,
        };
        alike.into_iter().map(permission).collect()
    }

    /// The single questions whose answers tell whether somebody has these rights.
    pub fn accesses(&self) -> Vec<Access> {
        let each = self.needed();
        each.flat_map(|(objects, verbs)| {
            verbs.into_iter().map(move |verb| Access {
                verb,
                resource: objects.resource,
                subresource: objects.subresource,
                namespace: objects.namespace.clone(),
                name: objects.name.clone(),
            })
        })
        .collect()
    }

    /// The rights without those that a wider one brings along.
    fn needed(&self) -> impl Iterator<Item = (Objects, Vec<Verb>)> {
        self.0.iter().filter_map(|(objects, verbs)| {
            let wider = objects.wider().filter_map(|wider| self.0.get(&wider));
            let brought: BTreeSet<Verb> = wider.flatten().copied().collect();
            let left: Vec<Verb> = verbs.difference(&brought).copied().collect();
            (!left.is_empty()).then(|| (objects.clone(), left))
        })
    }
}

impl FromIterator<Access> for Permissions {
    fn from_iter<I: IntoIterator<Item = Access>>(accesses: I) -> Self {
        let mut permissions = Self::default();
        for access in accesses {
            let objects = Objects {
                namespace: access.namespace,
                resource: access.resource,
                subresource: access.subresource,
                name: access.name,
            };
            permissions.allow([access.verb], objects);
        }
        permissions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reconcile::{CONFIG_MAPS, SECRETS};

    const READING: [Verb; 2] = [Verb::Get, Verb::List];

    fn smallest(rights: &[(&[Verb], Objects)]) -> Vec<String> {
        let mut permissions = Permissions::default();
        for (verbs, objects) in rights {
            permissions.allow(verbs.iter().copied(), objects.clone());
        }
        permissions.smallest().iter().map(told).collect()
    }

    fn told(permission: &Permission) -> String {
        let verbs: Vec<String> = permission.verbs.iter().map(ToString::to_string).collect();
        let names: Vec<&str> = permission.names.iter().map(Name::as_str).collect();
        let place = permission.namespace.as_ref().map_or("*", Namespace::as_str);
        let (verbs, names) = (verbs.join(","), names.join(","));
        format!("{place}: {verbs} {} [{names}]", permission.resource.plural)
    }

    fn secrets() -> Objects {
        Objects::all(&SECRETS)
    }

    #[test]
    fn names_with_the_same_verbs_are_together() {
        let rights: [(&[Verb], Objects); 3] = [
            (&READING, secrets().within("a".into()).named("y".into())),
            (&READING, secrets().within("a".into()).named("x".into())),
            (&[Verb::Get], secrets().within("b".into()).named("x".into())),
        ];
        assert_eq!(
            smallest(&rights),
            ["a: get,list secrets [x,y]", "b: get secrets [x]"]
        );
    }

    #[test]
    fn what_a_wider_right_brings_along_is_left_out() {
        let rights: [(&[Verb], Objects); 4] = [
            (&READING, secrets().named("x".into())),
            (
                &[Verb::Get, Verb::Create],
                secrets().within("a".into()).named("x".into()),
            ),
            (&[Verb::List], secrets().within("b".into())),
            (&READING, secrets().within("b".into()).named("y".into())),
        ];
        assert_eq!(
            smallest(&rights),
            [
                "*: get,list secrets [x]",
                "a: create secrets [x]",
                "b: list secrets []",
                "b: get secrets [y]"
            ]
        );
    }

    #[test]
    fn rights_to_other_objects_are_no_wider_ones() {
        let status = Objects::statuses(&CONFIG_MAPS);
        let rights: [(&[Verb], Objects); 3] = [
            (&READING, status.within("a".into())),
            (&READING, Objects::all(&CONFIG_MAPS)),
            (&READING, secrets().within("a".into())),
        ];
        assert_eq!(smallest(&rights).len(), 3);
    }

    #[test]
    fn questions_and_rights_say_the_same() {
        let mut permissions = Permissions::default();
        permissions.allow(READING, secrets().within("a".into()));
        permissions.allow([Verb::Patch], Objects::statuses(&CONFIG_MAPS));
        let again: Permissions = permissions.accesses().into_iter().collect();
        assert_eq!(again, permissions);
    }
}
