//! Which rates are wanted.

use std::collections::BTreeSet;

use super::Currency;

/// The pairs of one base with some quotes, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairs {
    base: Currency,
    quotes: BTreeSet<Currency>,
}

impl Pairs {
    /// The pairs of a base with some quotes; none without quotes. One that is named twice counts once.
    pub fn new(base: Currency, quotes: impl IntoIterator<Item = Currency>) -> Option<Self> {
        let quotes: BTreeSet<Currency> = quotes.into_iter().collect();
        (!quotes.is_empty()).then_some(Self { base, quotes })
    }

    /// What all rates are for one unit of.
    pub fn base(&self) -> Currency {
        self.base
    }

    /// The quotes, by their codes.
    pub fn quotes(&self) -> &BTreeSet<Currency> {
        &self.quotes
    }
}
