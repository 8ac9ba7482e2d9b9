//! What a provider says, whichever it is.

use std::collections::BTreeMap;

use jiff::{Timestamp, civil::Date};

use super::{Currency, Leg, Rate};

/// What a provider says: on each day, how many units of each currency are worth one unit of the base.
///
/// A currency may be missing on a day. The base itself is never among the quotes: it is always worth one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quotations {
    /// What all rates are for one unit of.
    pub base: Currency,
    /// The rates by the day that the provider gives them for, never empty, and no day without rates.
    pub days: BTreeMap<Date, BTreeMap<Currency, Rate>>,
    /// When the provider says that it will have something new.
    pub next_update: Option<Timestamp>,
}

impl Quotations {
    /// What a currency is worth on a day.
    pub fn on(&self, date: Date, currency: Currency) -> Option<Leg> {
        let rates = self.days.get(&date)?;
        self.leg(rates, currency)
    }

    /// What a currency is worth on the latest day that has it.
    pub fn latest(&self, currency: Currency) -> Option<(Date, Leg)> {
        let mut days = self.days.iter().rev();
        days.find_map(|(date, rates)| Some((*date, self.leg(rates, currency)?)))
    }

    fn leg(&self, rates: &BTreeMap<Currency, Rate>, currency: Currency) -> Option<Leg> {
        if currency == self.base {
            return Some(Leg::Base);
        }
        rates.get(&currency).copied().map(Leg::Quoted)
    }
}
