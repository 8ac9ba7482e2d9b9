//! Where the ConfigMaps are listed that publish rates: all of them together, or those that `ExchangeRate`s
//! name, where nobody may list them all.

use std::collections::BTreeSet;

use super::{exchange_rates::ExchangeRates, source::RateSource};
use crate::{
    rates::provider::Feeds,
    reconcile::{ApiError, Collection, Name, ObjectKey},
};

impl<F: Feeds> ExchangeRates<F> {
    /// All ConfigMaps; or those with the names that `ExchangeRate`s give them: RBAC lets single names be
    /// listed (`metadata.name`, as `resourceNames` allow it).
    pub(super) fn readable_collections(&self) -> Vec<Collection> {
        let broad = self.setting.source.collections().into_iter();
        let readable = broad.flat_map(|broad| {
            if self.is_unlisted(&broad) {
                self.named_within(&broad)
            } else {
                vec![broad]
            }
        });
        readable.collect()
    }

    fn is_unlisted(&self, collection: &Collection) -> bool {
        self.unlisted.iter().any(|(one, _)| one == collection)
    }

    fn named_within(&self, broad: &Collection) -> Vec<Collection> {
        let wishes = self
            .rates
            .values()
            .filter_map(|rate| rate.wish.as_ref().ok());
        let places: BTreeSet<&ObjectKey> = wishes.map(|wish| &wish.place).collect();
        let places = places.into_iter().filter(|place| broad.contains(place));
        let named = places.map(|place| Collection {
            resource: place.resource,
            namespace: place.namespace.clone(),
            name: Some(Name::clone(&place.name)),
        });
        named.collect()
    }

    /// The collections that couldn't be listed as a whole, why, and whether they couldn't be listed name by
    /// name either.
    pub(super) fn unlisted_as_a_whole(
        &self,
    ) -> impl Iterator<Item = (&Collection, &ApiError, bool)> {
        let whole = self.unlisted.iter().filter(|(one, _)| one.name.is_none());
        whole.map(|(broad, error)| {
            let named = self.named_within(broad);
            let is_lost = named.is_empty() || named.iter().any(|one| self.is_unlisted(one));
            (broad, error, is_lost)
        })
    }

    /// Forgets what was read of the cluster, but not what providers have answered.
    pub(super) fn forget_objects(&mut self) {
        if let RateSource::Cluster { .. } = self.setting.source {
            self.rates.clear();
        }
        self.published.clear();
        self.places.clear();
        self.absorbed.clear();
        self.has_begun = false;
        self.resting.clear();
        self.spans.clear();
        self.searches.clear();
        self.outlooks.take();
    }
}
