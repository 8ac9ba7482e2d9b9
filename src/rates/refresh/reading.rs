//! What is read for exchange rates, and in which order.

use std::collections::BTreeMap;

use jiff::{ToSpan as _, civil::Date, tz::TimeZone};
use secrecy::SecretString;

use super::{
    exchange_rates::{EXCHANGE_RATE_OWNERS, ExchangeRates},
    fact::Fact,
    last_good::LastGood,
    loaded::LoadedRate,
    published::PublishedMap,
    search::{Measure, Reason, Search},
    source::EXCHANGE_RATES,
    wish::Wish,
};
use crate::{
    rates::{
        Window, missing_since,
        provider::{Feed, Feeds, KeySource, Source, Span},
    },
    reconcile::{Depth, Input, Name, Namespace, ObjectKey, Owner, SECRETS},
};

/// More days than any calendar has without rates. The history that is kept ends with the newest rates,
/// which may be so much older than today, by which it is asked for.
const LONGEST_CLOSURE: i64 = 7;

impl<F: Feeds> ExchangeRates<F> {
    /// Today, in UTC.
    pub(super) fn today(&self) -> Date {
        self.setting.now.to_zoned(TimeZone::UTC).date()
    }

    /// Those that are understood and don't rest, and that the run acts for: as long as it isn't known which
    /// of them need nothing yet, these too.
    pub(super) fn active(&self) -> impl Iterator<Item = (&LoadedRate, &Wish)> {
        let loaded = self.loaded();
        let set = self.setting.source.set();
        let acts_for = move |owner: &Owner| {
            owner.set == set && loaded.contains(owner) && !self.resting.contains(owner)
        };
        let rates = self.rates.values();
        rates
            .filter(move |rate| acts_for(&rate.owner))
            .filter_map(|rate| Some((rate, rate.wish.as_ref().ok()?)))
            .filter(|(_, wish)| !wish.suspended)
    }

    /// What comes before anybody is asked: the `ExchangeRate`s, and what is published already.
    fn first_inputs(&self) -> Vec<Input<Feed>> {
        let rates = self.setting.source.query().map(Input::List);
        let lists = self.setting.source.collections().into_iter();
        let lists =
            lists.map(|one| Input::List(one.query(EXCHANGE_RATE_OWNERS.label, Depth::Full)));
        // Without the right to list, each ConfigMap can still be looked up on its own.
        let places = self
            .active()
            .map(|(_, wish)| Input::Get(wish.place.clone()));
        let singly = places.filter(|_| !self.unlisted.is_empty());
        rates.into_iter().chain(lists).chain(singly).collect()
    }

    /// All that is to be read as far as it is known.
    pub(super) fn wanted_inputs(&self) -> Vec<Input<Feed>> {
        let mut inputs = self.first_inputs();
        if !inputs.iter().all(|input| self.absorbed.contains(input)) {
            return inputs;
        }
        // Last, so that a definition that goes away while its objects are read is seen to be going.
        if self.setting.source.is_cluster() {
            inputs.push(Input::Get(EXCHANGE_RATES.definition()));
        }
        inputs.extend(self.active().filter_map(|(rate, wish)| {
            let source = self.searches.get(&rate.owner)?.next(wish)?;
            match secret(source) {
                Some(secret) if !self.keys.contains_key(&secret) => Some(Input::Get(secret)),
                _ => Some(Input::Feed(self.feed(source))),
            }
        }));
        inputs
    }

    /// Takes in that an input was read: once what comes first is there, the searches begin, and each answer
    /// brings them forward.
    pub(super) fn go_on(&mut self) {
        let is_ready = |input: &Input<Feed>| self.absorbed.contains(input);
        if !self.first_inputs().iter().all(is_ready) {
            return;
        }
        if !self.has_begun {
            self.has_begun = true;
            self.end_check();
            self.resting = self.at_rest();
            self.spans = self.wanted_spans();
            let owners = self.active().map(|(rate, _)| rate.owner.clone());
            self.searches = owners.map(|owner| (owner, Search::default())).collect();
        }
        let mut searches = std::mem::take(&mut self.searches);
        for (rate, wish) in self.active() {
            if let Some(search) = searches.get_mut(&rate.owner) {
                self.search(rate, wish, search);
            }
        }
        self.searches = searches;
    }

    /// Goes on with a search as far as is known.
    fn search(&self, rate: &LoadedRate, wish: &Wish, search: &mut Search) {
        while let Some(source) = search.next(wish) {
            match self.key_state(source) {
                KeyState::Unread => return,
                KeyState::Lacking(problem) => {
                    let kind = source.kind();
                    search.failed(Reason::Key { kind, problem });
                    continue;
                }
                KeyState::Ready => (),
            }
            let feed = self.feed(source);
            match self.answers.get(&feed) {
                None => return,
                Some(Err(error)) => search.failed(Reason::Fetch(error.clone())),
                Some(Ok(quotations)) => {
                    let published = self.published_by(rate, wish);
                    let last = LastGood::of(rate, wish, published);
                    let measure = Measure {
                        last: last.as_ref().map(|last| &last.sheet),
                        history: published.and_then(PublishedMap::history),
                        today: self.today(),
                    };
                    search.answered(wish, quotations, since(&feed), &measure);
                }
            }
        }
    }

    /// Whether there is the key that a source needs. One that isn't in a Secret is for the provider to miss.
    fn key_state(&self, source: &Source) -> KeyState {
        let Some(secret) = secret(source) else {
            return KeyState::Ready;
        };
        if !self.setting.permissions.may_read_secret(source) {
            return KeyState::Lacking("objects may not name Secrets (--allow-secrets)".to_owned());
        }
        match self.keys.get(&secret) {
            None => KeyState::Unread,
            Some(Err(error)) => KeyState::Lacking(error.to_string()),
            Some(Ok(None)) => KeyState::Lacking(format!("there is no {secret}")),
            Some(Ok(Some(_))) if self.key(source).is_none() => KeyState::Lacking(format!(
                "{secret} has no key of the name in secretKeyRef, or it isn't text"
            )),
            Some(Ok(Some(_))) => KeyState::Ready,
        }
    }

    /// The key that a source is asked with.
    pub(super) fn key(&self, source: &Source) -> Option<&SecretString> {
        match source.key()? {
            KeySource::Environment => {
                let variable = source.kind().provider().needs_key()?;
                self.setting.environment.get(variable)
            }
            KeySource::Secret { key, .. } => {
                let values = self.keys.get(&secret(source)?)?;
                values.as_ref().ok()?.as_ref()?.get(key.as_str())
            }
        }
    }

    /// What a source is asked for: the same for all who ask it.
    fn feed(&self, source: &Source) -> Feed {
        let since = self.spans.get(source).copied();
        Feed {
            source: source.clone(),
            span: since.map_or(Span::Latest, Span::Since),
        }
    }

    /// Since which day each source's history is wanted, by anybody who may come to ask it.
    fn wanted_spans(&self) -> BTreeMap<Source, Date> {
        let mut spans = BTreeMap::new();
        for (rate, wish) in self.active() {
            for source in &wish.sources {
                if let Some(since) = self.history_wanted(rate, wish, source) {
                    let earliest = spans.entry(source.clone()).or_insert(since);
                    *earliest = since.min(*earliest);
                }
            }
        }
        spans
    }

    fn history_wanted(&self, rate: &LoadedRate, wish: &Wish, source: &Source) -> Option<Date> {
        let provider = source.kind().provider();
        let window = Window::new(self.today(), wish.history)?;
        let published = self.published_by(rate, wish);
        let sheet = published.and_then(|published| published.sheet.as_ref());
        let filled = published.and_then(|published| published.filled_since);
        provider.has_history().then_some(())?;
        let since = missing_since(sheet, &wish.pairs, window, filled, provider.calendar())?;
        Some(since.saturating_sub(LONGEST_CLOSURE.days()))
    }

    /// What an `ExchangeRate` publishes already: under its name, or under one that it had before.
    pub(super) fn published_by(&self, rate: &LoadedRate, wish: &Wish) -> Option<&PublishedMap> {
        let mark = rate.owner.to_mark();
        let here = self.published.get(&wish.place);
        let elsewhere = || {
            let places = self.places.get(mark.as_str())?;
            places.iter().find_map(|place| self.published.get(place))
        };
        here.filter(|published| *published.owner == *mark)
            .or_else(elsewhere)
    }

    /// Takes in one thing that was read.
    pub(super) fn take(&mut self, input: &Input<Feed>, fact: Fact) {
        match (fact, input) {
            (Fact::Rate(rate), _) => {
                self.rates.insert(rate.owner.clone(), *rate);
            }
            (Fact::Published(published), _) => {
                let places = self.places.entry(published.owner.clone()).or_default();
                places.push(published.key.clone());
                self.published.insert(published.key.clone(), *published);
            }
            (Fact::Keys(keys), Input::Get(secret)) => {
                self.keys.insert(secret.clone(), Ok(Some(keys)));
            }
            (Fact::Answer(answer), Input::Feed(feed)) => {
                self.answers.insert(feed.clone(), answer);
            }
            (Fact::Keys(_) | Fact::Answer(_) | Fact::Definition { .. }, _) => (),
        }
    }
}

/// What is known of the key that a source needs.
enum KeyState {
    /// Its Secret hasn't been read yet.
    Unread,
    /// It is there, as far as we look for it.
    Ready,
    /// It can't be had, and why.
    Lacking(String),
}

/// The Secret that has the key of a source, if it is in one.
fn secret(source: &Source) -> Option<ObjectKey> {
    match source.key()? {
        KeySource::Environment => None,
        KeySource::Secret {
            namespace, name, ..
        } => Some(ObjectKey::namespaced(
            &SECRETS,
            Namespace::from(namespace.as_str()),
            Name::from(name.as_str()),
        )),
    }
}

fn since(feed: &Feed) -> Option<Date> {
    match feed.span {
        Span::Latest => None,
        Span::Since(day) => Some(day),
    }
}
