//! The rates of one base, as they are published.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;

use super::{Cross, Currency, History, Leg, Pairs, Quotations, Rate, Window};

/// The rates of one base against some quotes, at least one, and those of the days before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RateSheet {
    base: Currency,
    rows: BTreeMap<Currency, Row>,
    history: History,
}

/// The rates of one pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The day that the provider gives them for; of two days, the older.
    pub date: Date,
    /// How many units of the quote are worth one unit of the base.
    pub rate: Rate,
    /// How many units of the base are worth one unit of the quote.
    pub inverse: Rate,
}

/// The provider has no rates of these currencies, at least one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no rate is given for {}", .0.iter().map(|currency| currency.code()).collect::<Vec<_>>().join(", "))]
pub struct NoRates(pub BTreeSet<Currency>);

impl RateSheet {
    /// The latest rates of the pairs, and their history of so many calendar days, that of the last one
    /// included: what was kept of it, with what the provider says of each day in its place.
    ///
    /// Half an answer is none: a currency without a rate is an error.
    pub fn new(
        quotations: &Quotations,
        pairs: &Pairs,
        kept: Option<&History>,
        days: u16,
    ) -> Result<Self, NoRates> {
        let rows = rows(quotations, pairs)?;
        let mut sheet = Self {
            base: pairs.base(),
            rows,
            history: History::new(pairs.base()),
        };
        if let Some(window) = Window::new(sheet.newest(), days) {
            let mut history = kept.map_or_else(|| sheet.history.clone(), |kept| kept.only(pairs));
            history.add_quotations(quotations, pairs);
            history.add_rows(&sheet.rows);
            sheet.history = history.within(window);
        }
        Ok(sheet)
    }

    /// A sheet of rows that are known from elsewhere, without a history; none without rows.
    pub fn from_rows(base: Currency, rows: BTreeMap<Currency, Row>) -> Option<Self> {
        (!rows.is_empty()).then(|| Self {
            base,
            rows,
            history: History::new(base),
        })
    }

    /// The sheet with a history, if that is of the same base.
    pub(super) fn with_history(self, history: History) -> Self {
        if history.base() == self.base {
            Self { history, ..self }
        } else {
            self
        }
    }

    /// What all rates are for one unit of.
    pub fn base(&self) -> Currency {
        self.base
    }

    /// The rates by their quotes.
    pub fn rows(&self) -> &BTreeMap<Currency, Row> {
        &self.rows
    }

    /// The days before, and the day itself; nothing if no history is kept.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The day of the oldest rate.
    pub fn as_of(&self) -> Date {
        self.dates().fold(Date::MAX, Date::min)
    }

    /// The day of the newest rate.
    pub fn newest(&self) -> Date {
        self.dates().fold(Date::MIN, Date::max)
    }

    /// The days of the rates: at least one.
    fn dates(&self) -> impl Iterator<Item = Date> {
        self.rows.values().map(|row| row.date)
    }
}

impl Row {
    /// The rates of a day.
    pub fn new(date: Date, Cross { rate, inverse }: Cross) -> Self {
        Self {
            date,
            rate,
            inverse,
        }
    }

    /// The two rates.
    pub fn cross(&self) -> Cross {
        Cross {
            rate: self.rate,
            inverse: self.inverse,
        }
    }
}

fn rows(quotations: &Quotations, pairs: &Pairs) -> Result<BTreeMap<Currency, Row>, NoRates> {
    let mut missing = pairs.quotes().clone();
    missing.insert(pairs.base());
    missing.retain(|currency| quotations.latest(*currency).is_none());
    if !missing.is_empty() {
        return Err(NoRates(missing));
    }
    let row = |quote: &Currency| Some((*quote, row(quotations, pairs.base(), *quote)?));
    Ok(pairs.quotes().iter().filter_map(row).collect())
}

/// The latest rates of a pair: those of the older leg's day. Where the other leg has none on that day, its
/// latest stands in.
fn row(quotations: &Quotations, base: Currency, quote: Currency) -> Option<Row> {
    let (base_date, base_leg) = quotations.latest(base)?;
    let (quote_date, quote_leg) = quotations.latest(quote)?;
    let date = base_date.min(quote_date);
    let on_date = |currency, latest: Leg| quotations.on(date, currency).unwrap_or(latest);
    let cross = Cross::of(on_date(base, base_leg), on_date(quote, quote_leg));
    Some(Row::new(date, cross))
}

#[cfg(test)]
#[path = "sheet_tests.rs"]
mod tests;
