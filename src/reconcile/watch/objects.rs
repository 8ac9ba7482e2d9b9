//! The domain's objects as a watch knows them.

use std::{collections::BTreeMap, mem};

use crate::reconcile::{Collection, Found, Name, Namespace, ObjectKey, Observed, ResourceType};

type InOneNamespace = BTreeMap<(&'static ResourceType, Name), Found>;

/// The domain's objects, in the order of their keys. There may be tens of thousands.
#[derive(Default)]
pub struct Objects(BTreeMap<Option<Namespace>, InOneNamespace>);

impl Objects {
    /// What is known of an object.
    pub fn get(&self, key: &ObjectKey) -> Option<&Observed> {
        let in_namespace = self.0.get(&key.namespace)?;
        let found = in_namespace.get(&(key.resource, key.name.clone()))?;
        Some(found)
    }

    /// Takes in an object as it is now.
    pub fn insert(&mut self, found: Found) {
        let in_namespace = self.0.entry(found.key.namespace.clone()).or_default();
        in_namespace.insert((found.key.resource, found.key.name.clone()), found);
    }

    /// Takes out an object that is gone.
    pub fn remove(&mut self, key: &ObjectKey) -> Option<Found> {
        let in_namespace = self.0.get_mut(&key.namespace)?;
        let removed = in_namespace.remove(&(key.resource, key.name.clone()));
        if in_namespace.is_empty() {
            self.0.remove(&key.namespace);
        }
        removed
    }

    /// What was found out by reading an object whole stays true of the state that was read.
    pub fn remember(&mut self, seen: Found) {
        if self
            .get(&seen.key)
            .is_some_and(|known| known.version == seen.version)
        {
            self.insert(seen);
        }
    }

    /// These are all objects of a collection. What was found out about those that are the same stays true.
    pub fn replace(&mut self, collection: &Collection, found: Vec<Found>) {
        let mut former = self.take(collection);
        for mut one in found {
            if let Some(known) = former.remove(&one.key)
                && known.version == one.version
            {
                one = known;
            }
            self.insert(one);
        }
    }

    /// Takes out all objects of a collection.
    pub fn take(&mut self, collection: &Collection) -> Self {
        let mut taken = Self::default();
        for (namespace, objects) in &mut self.0 {
            let all = mem::take(objects);
            let (of_it, others) = all
                .into_iter()
                .partition(|(_, found)| collection.contains(&found.key));
            *objects = others;
            taken.0.insert(namespace.clone(), of_it);
        }
        self.0.retain(|_, objects| !objects.is_empty());
        taken
    }

    /// The keys of all objects in a namespace.
    pub fn keys_in(&self, namespace: &Namespace) -> impl Iterator<Item = &ObjectKey> {
        let objects = self.0.get(&Some(namespace.clone()));
        objects
            .into_iter()
            .flat_map(BTreeMap::values)
            .map(|found| &found.key)
    }

    /// All objects, in the order of their keys.
    pub fn iter(&self) -> impl Iterator<Item = &Observed> {
        self.0
            .values()
            .flat_map(BTreeMap::values)
            .map(|found| &**found)
    }
}
