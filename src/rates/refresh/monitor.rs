//! What those hear who follow how providers and rates are: the metrics.

use jiff::{Timestamp, civil::Date};

use crate::{
    rates::{Freshness, provider::ProviderType},
    reconcile::Owner,
};

/// Something that follows how providers and rates are.
pub trait RatesMonitor {
    /// A provider gave rates, new ones or the ones from before, or didn't.
    fn answered(&mut self, answered: &Answered);

    /// How an `ExchangeRate` is after a run, also one that needed nothing yet.
    fn state(&mut self, owner: &Owner, state: &RateState);

    /// An `ExchangeRate` is gone.
    fn gone(&mut self, owner: &Owner);
}

/// Nobody.
impl RatesMonitor for () {
    fn answered(&mut self, _answered: &Answered) {}
    fn state(&mut self, _owner: &Owner, _state: &RateState) {}
    fn gone(&mut self, _owner: &Owner) {}
}

/// What came of asking a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The provider.
    pub provider: ProviderType,
    /// When the run ended that asked it.
    pub at: Timestamp,
    /// Why it gave no rates, as the word that conditions have for it; none if it gave some.
    pub failure: Option<&'static str>,
}

/// How an `ExchangeRate` is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RateState {
    /// The day of the rates that are published, the oldest of them; none if there are none, or if that isn't
    /// known.
    pub as_of: Option<Date>,
    /// Who gave them, if that is known, or else who is asked first; none of one that can't be understood.
    pub provider: Option<ProviderType>,
    /// After how many business days they are too old.
    pub max_age: u32,
    /// Whether it has all that it asks for.
    pub is_ready: bool,
}

impl RateState {
    /// Whether the rates are too old on a day, in UTC, and how old they are in business days.
    pub fn freshness(&self, today: Date) -> Option<Freshness> {
        let calendar = self.provider?.provider().calendar();
        Some(Freshness::of(self.as_of?, today, calendar, self.max_age))
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn the_age_is_that_of_the_day_on_which_it_is_asked_for() {
        let state = RateState {
            as_of: Some(date(2026, 11, 20)),
            provider: Some(ProviderType::Ecb),
            max_age: 1,
            is_ready: true,
        };
        let freshness = |day| state.freshness(date(2026, 11, day));
        assert_eq!(freshness(22), Some(Freshness::Fresh { age: 0 }));
        assert_eq!(freshness(23), Some(Freshness::Fresh { age: 1 }));
        assert_eq!(freshness(24), Some(Freshness::Stale { age: 2 }));
        let unknown = RateState {
            as_of: None,
            ..state.clone()
        };
        assert_eq!(unknown.freshness(date(2026, 11, 20)), None);
    }
}
