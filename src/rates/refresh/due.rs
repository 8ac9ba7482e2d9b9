//! Whom of the `ExchangeRate`s a run is for.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::{
    exchange_rates::ExchangeRates,
    loaded::{LoadedRate, Standing},
    wish::Wish,
};
use crate::{
    rates::provider::Feeds,
    reconcile::{Due, Loaded, Owner},
};

impl<F: Feeds> ExchangeRates<F> {
    /// Which owners the run acts for.
    pub(super) fn loaded(&self) -> Loaded {
        match &self.setting.due {
            Due::Everyone | Due::Unless(_) => self.setting.source.loaded(),
            Due::Only(owners) => {
                let names = owners.iter();
                Loaded::Only(
                    names
                        .map(|owner| (owner.namespace.clone(), owner.name.clone()))
                        .collect(),
                )
            }
        }
    }

    /// Those that need nothing yet, or any more, although the run acts for them.
    pub(super) fn at_rest(&self) -> BTreeSet<Owner> {
        let known = match &self.setting.due {
            Due::Unless(known) => Some(known),
            Due::Everyone | Due::Only(_) => None,
        };
        let resting = self.active().filter(|(rate, wish)| {
            is_leaving(rate) || known.is_some_and(|known| self.is_at_rest(rate, wish, known))
        });
        resting.map(|(rate, _)| rate.owner.clone()).collect()
    }

    /// Whether what it publishes is what was written for what it asks for, and its time hasn't come: by the
    /// runs before, or by its own status.
    fn is_at_rest(&self, rate: &LoadedRate, wish: &Wish, known: &BTreeSet<Owner>) -> bool {
        let mark = rate.owner.to_mark();
        let published = self.published.get(&wish.place);
        let is_published =
            published.is_some_and(|published| *published.owner == *mark && published.is_intact);
        let standing = rate.standing.as_ref();
        let is_acted_on = standing.is_none_or(|standing| {
            standing.generation.is_some()
                && standing.status.observed_generation == standing.generation
        });
        let says_so = || {
            let standing = standing.filter(|_| self.setting.asked.is_empty());
            standing.is_some_and(|standing| has_time(standing, wish, self.setting.now))
        };
        is_published && is_acted_on && (known.contains(&rate.owner) || says_so())
    }
}

/// Whether it is being deleted: then the cluster is at work on what belongs to it.
pub fn is_leaving(rate: &LoadedRate) -> bool {
    let standing = rate.standing.as_ref();
    standing.is_some_and(|standing| standing.is_leaving)
}

/// Whether its status says that all is well until later.
fn has_time(standing: &Standing, wish: &Wish, now: Timestamp) -> bool {
    let status = &standing.status;
    let mut conditions = status.conditions.iter();
    let is_ready = conditions.any(|one| one.type_ == "Ready" && one.status == "True");
    let next = next_of_status(standing);
    let kind = status.provider.unwrap_or_else(|| wish.first_choice());
    let as_of = status.as_of.as_deref().and_then(|day| day.parse().ok());
    let is_newest = as_of >= Some(kind.provider().calendar().newest_day(now));
    is_ready && next.is_some_and(|next| next > now) && (wish.schedule.is_some() || is_newest)
}

/// When its status says that it is refreshed next.
pub fn next_of_status(standing: &Standing) -> Option<Timestamp> {
    standing.status.next_refresh.as_deref()?.parse().ok()
}
