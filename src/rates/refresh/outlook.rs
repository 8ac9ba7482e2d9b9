//! What becomes of an `ExchangeRate` once all providers that matter were asked.

use std::{collections::BTreeMap, sync::Arc};

use jiff::{Timestamp, civil::Date};

use super::{
    last_good::LastGood,
    published::{HISTORY_ANNOTATION, PublishedMap, STALE_ANNOTATION, STALE_REASON_ANNOTATION},
    search::{Accepted, Search},
    wish::Wish,
};
use crate::{
    rates::{Freshness, RateSheet, data, provider::ProviderType},
    reconcile::{Carried, Content, Value},
};

/// What becomes of an `ExchangeRate`.
pub enum Outlook {
    /// It can't be understood.
    Invalid(String),
    /// It rests.
    Suspended,
    /// No provider has good rates, and there are none from before.
    NoRates,
    /// The rates don't fit into a ConfigMap.
    Unpublishable(String),
    /// Its rates are published.
    Rates(Box<Rates>),
}

/// Rates that are published.
pub struct Rates {
    /// The rates.
    pub sheet: RateSheet,
    /// Who gave them, if that is known.
    pub kind: Option<ProviderType>,
    /// Whether a provider gave them in this run.
    pub is_new: bool,
    /// Whether they are too old.
    pub freshness: Freshness,
    /// When the provider says that it will have something new.
    pub next_update: Option<Timestamp>,
    /// What the ConfigMap holds.
    pub content: Arc<Content>,
    /// Its labels and annotations.
    pub carried: Carried,
}

impl Rates {
    /// Whether they are too old.
    pub fn is_stale(&self) -> bool {
        matches!(self.freshness, Freshness::Stale { .. })
    }
}

impl Outlook {
    /// What becomes of a wish after a search.
    pub fn of(
        wish: &Wish,
        search: &Search,
        last: Option<&LastGood<'_>>,
        published: Option<&PublishedMap>,
        today: Date,
    ) -> Self {
        let filled = published.and_then(|published| published.filled_since);
        let found = match &search.accepted {
            Some(accepted) => Some(Found::new(accepted, filled)),
            None => last.and_then(|last| Found::kept(wish, last, filled)),
        };
        let Some(found) = found else {
            return Self::NoRates;
        };
        match data(&found.sheet, &wish.config_map) {
            Ok(data) => Self::Rates(Box::new(found.rates(wish, search, data, today))),
            Err(problem) => Self::Unpublishable(problem.to_string()),
        }
    }

    /// The rates, if there are any.
    pub fn rates(&self) -> Option<&Rates> {
        match self {
            Self::Rates(rates) => Some(rates),
            _ => None,
        }
    }
}

/// Rates that can be published.
struct Found {
    sheet: RateSheet,
    kind: Option<ProviderType>,
    is_new: bool,
    next_update: Option<Timestamp>,
    filled_since: Option<Date>,
}

impl Found {
    fn new(accepted: &Accepted, filled: Option<Date>) -> Self {
        let since = accepted.since.into_iter().chain(filled).min();
        Self {
            sheet: accepted.sheet.clone(),
            kind: Some(accepted.kind),
            is_new: true,
            next_update: accepted.next_update,
            filled_since: since,
        }
    }

    fn kept(wish: &Wish, last: &LastGood<'_>, filled_since: Option<Date>) -> Option<Self> {
        Some(Self {
            sheet: last.for_pairs(&wish.pairs)?,
            kind: last.kind,
            is_new: false,
            next_update: None,
            filled_since,
        })
    }

    fn rates(
        self,
        wish: &Wish,
        search: &Search,
        data: BTreeMap<String, String>,
        today: Date,
    ) -> Rates {
        let kind = self.kind.unwrap_or_else(|| wish.first_choice());
        let calendar = kind.provider().calendar();
        let freshness = Freshness::of(self.sheet.as_of(), today, calendar, wish.max_age);
        let is_stale = matches!(freshness, Freshness::Stale { .. });
        let reason = search.reasons.first().filter(|_| is_stale);
        let mut carried = wish.carried.clone();
        let mut annotate = |key: &str, value: &str| {
            carried.annotations.insert(key.into(), value.into());
        };
        if let Some(since) = self.filled_since.filter(|_| wish.history > 0) {
            annotate(HISTORY_ANNOTATION, &since.to_string());
        }
        if let Some(reason) = reason {
            annotate(STALE_ANNOTATION, "true");
            annotate(STALE_REASON_ANNOTATION, reason.word());
        }
        Rates {
            sheet: self.sheet,
            kind: self.kind,
            is_new: self.is_new,
            freshness,
            next_update: self.next_update,
            content: Arc::new(content(data)),
            carried,
        }
    }
}

fn content(data: BTreeMap<String, String>) -> Content {
    let data = data.into_iter();
    Content {
        data: data
            .map(|(key, value)| (key.into(), Value::new(&value)))
            .collect(),
        ..Content::default()
    }
}
