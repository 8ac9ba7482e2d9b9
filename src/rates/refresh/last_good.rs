//! The last good rates of an `ExchangeRate`: what it falls back on, and what new ones are measured by.

use std::collections::BTreeMap;

use super::{loaded::LoadedRate, published::PublishedMap, wish::Wish};
use crate::{
    api::ExchangeRateStatus,
    rates::{Currency, History, Pairs, Rate, RateSheet, Row, provider::ProviderType},
};

/// The last good rates of an `ExchangeRate`.
pub struct LastGood<'a> {
    /// The rates of its base.
    pub sheet: RateSheet,
    /// The history that is published, if any is.
    pub history: Option<&'a History>,
    /// Who gave them, if that is known.
    pub kind: Option<ProviderType>,
}

impl<'a> LastGood<'a> {
    /// What its ConfigMap or its status says, whichever is newer; none if neither says anything of its base.
    /// The status outlives a ConfigMap that somebody has deleted or edited.
    pub fn of(
        loaded: &LoadedRate,
        wish: &Wish,
        published: Option<&'a PublishedMap>,
    ) -> Option<Self> {
        let base = wish.pairs.base();
        let of_base = |sheet: &RateSheet| sheet.base() == base;
        let on_map = published.and_then(|published| published.sheet.clone());
        let on_map = on_map.filter(of_base);
        let status = loaded.former_status();
        let in_status = status.and_then(sheet_of_status).filter(of_base);
        let sheet = match (on_map, in_status) {
            (Some(on_map), Some(status)) if status.as_of() > on_map.as_of() => status,
            (Some(sheet), _) | (None, Some(sheet)) => sheet,
            (None, None) => return None,
        };
        Some(Self {
            sheet,
            history: published.and_then(PublishedMap::history),
            kind: status.and_then(|status| status.provider),
        })
    }

    /// What of them is wanted; none unless all of it is there.
    pub fn for_pairs(&self, pairs: &Pairs) -> Option<RateSheet> {
        let rows = self.sheet.rows();
        let rows = pairs
            .quotes()
            .iter()
            .map(|quote| Some((*quote, *rows.get(quote)?)));
        let rows: BTreeMap<Currency, Row> = rows.collect::<Option<_>>()?;
        let sheet = RateSheet::from_rows(pairs.base(), rows)?;
        Some(match self.history.map(|history| history.only(pairs)) {
            Some(history) => sheet.with_history(history),
            None => sheet,
        })
    }
}

fn sheet_of_status(status: &ExchangeRateStatus) -> Option<RateSheet> {
    let base = status.base.as_deref()?.parse().ok()?;
    let rows = status.rates.iter().map(|rate| {
        let row = Row {
            date: rate.date.parse().ok()?,
            rate: Rate::from_published(&rate.rate).ok()?,
            inverse: Rate::from_published(&rate.inverse).ok()?,
        };
        Some((rate.quote.parse().ok()?, row))
    });
    RateSheet::from_rows(base, rows.collect::<Option<_>>()?)
}
