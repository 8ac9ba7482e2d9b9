//! The rates of the last days.

use std::{collections::BTreeMap, num::NonZeroU16};

use jiff::{ToSpan, civil::Date};

use super::{Cross, Currency, Pairs, Quotations, Row};

/// The rates of one base by day and quote. On a day, some quotes may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    base: Currency,
    days: BTreeMap<Date, BTreeMap<Currency, Cross>>,
}

/// Some calendar days in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The last day.
    newest: Date,
    /// How many days there are.
    days: NonZeroU16,
}

impl Window {
    /// So many days, of which this is the last; none for no days.
    pub fn new(newest: Date, days: u16) -> Option<Self> {
        let days = NonZeroU16::new(days)?;
        Some(Self { newest, days })
    }

    /// The last day.
    pub fn newest(self) -> Date {
        self.newest
    }

    /// The first day.
    pub fn start(self) -> Date {
        let before = i64::from(self.days.get()) - 1;
        self.newest.saturating_sub(before.days())
    }
}

impl History {
    /// A history without days.
    pub fn new(base: Currency) -> Self {
        let days = BTreeMap::new();
        Self { base, days }
    }

    /// What all rates are for one unit of.
    pub fn base(&self) -> Currency {
        self.base
    }

    /// The rates by day and quote; every day has some.
    pub fn days(&self) -> &BTreeMap<Date, BTreeMap<Currency, Cross>> {
        &self.days
    }

    /// The newest day, if there is any.
    pub fn newest(&self) -> Option<Date> {
        self.days.last_key_value().map(|(date, _)| *date)
    }

    /// The rates of one pair, from the oldest to the newest.
    pub fn of(&self, quote: Currency) -> impl DoubleEndedIterator<Item = (Date, Cross)> {
        let days = self.days.iter();
        days.filter_map(move |(date, rates)| Some((*date, *rates.get(&quote)?)))
    }

    /// Puts rates in the place of what was there for that day and quote: a correction replaces.
    pub fn add(&mut self, date: Date, quote: Currency, cross: Cross) {
        self.days.entry(date).or_default().insert(quote, cross);
    }

    /// Adds the pairs' rates of each day on which the provider has both currencies. The pairs' base is
    /// this history's.
    pub fn add_quotations(&mut self, quotations: &Quotations, pairs: &Pairs) {
        for date in quotations.days.keys() {
            let Some(base) = quotations.on(*date, self.base) else {
                continue;
            };
            for quote in pairs.quotes() {
                if let Some(leg) = quotations.on(*date, *quote) {
                    self.add(*date, *quote, Cross::of(base, leg));
                }
            }
        }
    }

    /// Adds each row to its day.
    pub fn add_rows(&mut self, rows: &BTreeMap<Currency, Row>) {
        for (quote, row) in rows {
            self.add(row.date, *quote, row.cross());
        }
    }

    /// What of it belongs to these pairs: of another base nothing, and no other quotes.
    #[must_use]
    pub fn only(&self, pairs: &Pairs) -> Self {
        let mut wanted = Self::new(pairs.base());
        if self.base == wanted.base {
            wanted.days.clone_from(&self.days);
        }
        wanted.days.retain(|_, rates| {
            rates.retain(|quote, _| pairs.quotes().contains(quote));
            !rates.is_empty()
        });
        wanted
    }

    /// What of it lies in the window.
    #[must_use]
    pub fn within(mut self, window: Window) -> Self {
        self.days
            .retain(|date, _| (window.start()..=window.newest).contains(date));
        self
    }
}

#[cfg(test)]
#[path = "history_tests.rs"]
mod tests;
