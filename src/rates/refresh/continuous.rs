//! Exchange rates without an end: the runs that are made of them, one after the other.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

use jiff::Timestamp;

use super::{
    exchange_rates::{ExchangeRates, Setting},
    loaded::LoadedRate,
    monitor::{RateState, RatesMonitor},
    source::RateSource,
};
use crate::{
    rates::{Freshness, provider::Feeds},
    reconcile::{Due, Owner, Owners, Prospect, Recurring},
};

/// Makes the runs that keep `ExchangeRate`s fresh.
pub struct Refreshing<'a, F> {
    setting: Setting,
    feeds: &'a F,
    monitor: RefCell<&'a mut dyn RatesMonitor>,
    states: RefCell<BTreeMap<Owner, RateState>>,
}

impl<'a, F: Feeds> Refreshing<'a, F> {
    /// Those of a setting, whoever is due and whatever time it is; `monitor` hears how they are.
    pub fn new(setting: Setting, feeds: &'a F, monitor: &'a mut dyn RatesMonitor) -> Self {
        Self {
            setting,
            feeds,
            monitor: RefCell::new(monitor),
            states: RefCell::new(BTreeMap::new()),
        }
    }

    /// How many publish rates that are too old on the day of a moment.
    pub fn stale(&self, now: Timestamp) -> usize {
        let today = now.to_zoned(jiff::tz::TimeZone::UTC).date();
        let states = self.states.borrow();
        let freshness = states.values().filter_map(|state| state.freshness(today));
        freshness
            .filter(|freshness| matches!(freshness, Freshness::Stale { .. }))
            .count()
    }
}

impl<'a, F: Feeds> Recurring for Refreshing<'a, F> {
    type Domain = ExchangeRates<&'a F>;

    fn owners(&self) -> Owners {
        match &self.setting.source {
            RateSource::Files { rates, set, .. } => {
                let rates = rates.iter();
                let owners = rates.map(|rate| LoadedRate::from_file(rate, set.clone(), &[]).owner);
                Owners::Fixed(owners.collect())
            }
            source @ RateSource::Cluster { .. } => match source.query() {
                Some(query) => Owners::Followed(query),
                None => Owners::Fixed(BTreeSet::new()),
            },
        }
    }

    fn acts_for(&self, owner: &Owner) -> bool {
        let source = &self.setting.source;
        owner.set == source.set() && source.loaded().contains(owner)
    }

    fn domain(&self, due: Due, now: Timestamp) -> ExchangeRates<&'a F> {
        let setting = Setting {
            due,
            now,
            ..self.setting.clone()
        };
        ExchangeRates::new(setting, self.feeds)
    }

    fn prospects(&self, domain: &mut ExchangeRates<&'a F>, now: Timestamp) -> Vec<Prospect> {
        let mut monitor = self.monitor.borrow_mut();
        for answered in domain.answered(now) {
            monitor.answered(&answered);
        }
        let mut states = self.states.borrow_mut();
        for (owner, state) in domain.states() {
            monitor.state(owner, &state);
            states.insert(owner.clone(), state);
        }
        domain.all_prospects(now)
    }

    fn gone(&self, owner: &Owner) {
        self.states.borrow_mut().remove(owner);
        self.monitor.borrow_mut().gone(owner);
    }
}
