//! The search for rates of one `ExchangeRate`: one provider after the other, until one's are good.

use jiff::{Timestamp, civil::Date};

use super::wish::Wish;
use crate::rates::{
    Calendar, Freshness, History, NoRates, Quotations, RateSheet, Refusal, judge,
    provider::{FetchError, ProviderType, Source},
};

/// Why a provider's rates aren't used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// They couldn't be had.
    #[error("{0}")]
    Fetch(FetchError),
    /// The key for it couldn't be had.
    #[error("{kind}: {problem}")]
    Key {
        /// The provider.
        kind: ProviderType,
        /// Why.
        problem: String,
    },
    /// Some are missing.
    #[error("{kind}: {missing}")]
    Incomplete {
        /// The provider.
        kind: ProviderType,
        /// Which.
        missing: NoRates,
    },
    /// They can't be right.
    #[error("{kind}: {}", in_a_row(.refusals))]
    Refused {
        /// The provider.
        kind: ProviderType,
        /// Why, at least once.
        refusals: Vec<Refusal>,
    },
    /// They are right, but too old.
    #[error("{kind}: the latest rates are as of {as_of}")]
    Stale {
        /// The provider.
        kind: ProviderType,
        /// The day of the oldest rate.
        as_of: Date,
    },
}

/// The first few, in a row: a provider that is wrong about one rate may be so about two hundred.
fn in_a_row(refusals: &[Refusal]) -> String {
    let mut told: Vec<String> = refusals
        .iter()
        .take(REFUSALS_TOLD)
        .map(ToString::to_string)
        .collect();
    if let Some(more @ 1..) = refusals.len().checked_sub(REFUSALS_TOLD) {
        told.push(format!("and {more} more"));
    }
    told.join(", ")
}

const REFUSALS_TOLD: usize = 3;

impl Reason {
    /// In one word for programs.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Fetch(error) => error.word(),
            Self::Key { .. } => "KeyMissing",
            Self::Incomplete { .. } => "IncompleteRates",
            Self::Refused { refusals, .. } => refusals.first().map_or("Refused", Refusal::word),
            Self::Stale { .. } => "NothingNewer",
        }
    }
}

/// Rates that a provider gave and that are good.
#[derive(Clone, Debug)]
pub struct Accepted {
    /// The provider.
    pub kind: ProviderType,
    /// The rates.
    pub sheet: RateSheet,
    /// Since which day its history was asked for, if it was.
    pub since: Option<Date>,
    /// When it says that it will have something new.
    pub next_update: Option<Timestamp>,
}

/// What the rates of a provider are measured by.
pub struct Measure<'a> {
    /// The last good rates.
    pub last: Option<&'a RateSheet>,
    /// The history that is there.
    pub history: Option<&'a History>,
    /// Today, in UTC.
    pub today: Date,
}

/// How far the search for rates of one `ExchangeRate` has come.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// How many of its providers have had their turn.
    asked: usize,
    /// Why those that had their turn weren't good enough, in that order.
    pub reasons: Vec<Reason>,
    /// The best rates so far.
    pub accepted: Option<Accepted>,
    is_over: bool,
}

impl Search {
    /// The provider whose turn it is; none when the search is over.
    pub fn next<'a>(&self, wish: &'a Wish) -> Option<&'a Source> {
        wish.sources.get(self.asked).filter(|_| !self.is_over)
    }

    /// The provider whose turn it was has nothing.
    pub fn failed(&mut self, reason: Reason) {
        self.reasons.push(reason);
        self.asked += 1;
    }

    /// The provider whose turn it was has answered, asked since a day if its history was wanted. Rates that
    /// are good but old are kept in case nobody has better ones.
    pub fn answered(
        &mut self,
        wish: &Wish,
        quotations: &Quotations,
        since: Option<Date>,
        measure: &Measure<'_>,
    ) {
        let Some(kind) = self.next(wish).map(Source::kind) else {
            return;
        };
        match accept(wish, kind, quotations, since, measure) {
            Err(reason) => self.failed(reason),
            Ok(accepted) => {
                let as_of = accepted.sheet.as_of();
                let calendar = kind.provider().calendar();
                self.is_over = is_fresh(wish, calendar, as_of, measure.today);
                let is_better = |best: &Accepted| accepted.sheet.as_of() > best.sheet.as_of();
                if self.accepted.as_ref().is_none_or(is_better) {
                    self.accepted = Some(accepted);
                }
                if !self.is_over {
                    self.failed(Reason::Stale { kind, as_of });
                }
            }
        }
    }
}

fn is_fresh(wish: &Wish, calendar: Calendar, as_of: Date, today: Date) -> bool {
    let freshness = Freshness::of(as_of, today, calendar, wish.max_age);
    matches!(freshness, Freshness::Fresh { .. })
}

fn accept(
    wish: &Wish,
    kind: ProviderType,
    quotations: &Quotations,
    since: Option<Date>,
    measure: &Measure<'_>,
) -> Result<Accepted, Reason> {
    let sheet = RateSheet::new(quotations, &wish.pairs, measure.history, wish.history)
        .map_err(|missing| Reason::Incomplete { kind, missing })?;
    let refusals = judge(&sheet, measure.last, wish.max_change, measure.today);
    if !refusals.is_empty() {
        return Err(Reason::Refused { kind, refusals });
    }
    Ok(Accepted {
        kind,
        sheet,
        since,
        next_update: quotations.next_update,
    })
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
