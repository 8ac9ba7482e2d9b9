//! Exchange rates as a domain of the engine.

use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    sync::Arc,
};

use jiff::{Timestamp, civil::Date};
use secrecy::SecretString;

use super::{
    fact::{self, Fact, SecretValues},
    last_good::LastGood,
    loaded::LoadedRate,
    outlook::Outlook,
    published::PublishedMap,
    search::Search,
    source::{EXCHANGE_RATES, RateSource},
};
use crate::{
    api::Checking,
    rates::{
        Quotations,
        provider::{Feed, Feeds, FetchError, Permissions, ProviderType, Source},
    },
    reconcile::{
        ApiError, Collection, Content, DEFINITIONS, Desired, Domain, Due, Event, Failure, Finding,
        Input, ObjectKey, Outcome, Owner, OwnerKind, Policies, Precedence, Pruning, RawObject,
        SECRETS, Scope, StatusUpdate, Template, UnexpectedShape,
    },
};

/// `ExchangeRate`s, as the owners of the ConfigMaps that publish their rates.
pub static EXCHANGE_RATE_OWNERS: OwnerKind = OwnerKind {
    resource: &EXCHANGE_RATES,
    label: "copyrator.dev/exchange-rate",
    noun: "exchangerate",
    is_namespaced: true,
};

/// Why nothing can be said about exchange rates.
#[derive(Debug, thiserror::Error)]
pub enum RatesError {
    /// The API server doesn't know `ExchangeRate`s.
    #[error("the cluster has no ExchangeRates: their CustomResourceDefinition is not installed")]
    NotInstalled,
    /// The definition of `ExchangeRate`s, and with it all of them, are being deleted.
    #[error("the CustomResourceDefinition of ExchangeRates is being deleted; nothing was written")]
    BeingUninstalled,
    /// Some were asked for that don't exist.
    #[error("{} not found in namespace {namespace}", .names.join(", "))]
    NoSuchRates {
        /// Those that don't exist, quoted and with their resource.
        names: Vec<String>,
        /// Where they were looked for.
        namespace: String,
    },
    /// Something that everything depends on couldn't be read.
    #[error("{0}")]
    Api(#[source] ApiError),
}

/// What a refresh is about.
#[derive(Clone)]
pub struct Setting {
    /// Where the `ExchangeRate`s come from.
    pub source: RateSource,
    /// What happens to ConfigMaps that none of them wants.
    pub pruning: Pruning,
    /// Whom of them it is for.
    pub due: Due,
    /// The providers that take the place of those in specs; those of the specs when empty.
    pub asked: Vec<ProviderType>,
    /// The time.
    pub now: Timestamp,
    /// What objects of the cluster may name.
    pub permissions: Permissions,
    /// The keys of the environment, by the names of their variables.
    pub environment: BTreeMap<&'static str, SecretString>,
}

/// The ConfigMaps that `ExchangeRate`s want.
pub struct ExchangeRates<F> {
    pub(super) setting: Setting,
    feeds: F,
    pub(super) rates: BTreeMap<Owner, LoadedRate>,
    pub(super) published: BTreeMap<ObjectKey, PublishedMap>,
    /// Which ConfigMaps bear which mark of an owner.
    pub(super) places: HashMap<Box<str>, Vec<ObjectKey>>,
    pub(super) unlisted: Vec<(Collection, ApiError)>,
    pub(super) absorbed: HashSet<Input<Feed>>,
    pub(super) keys: HashMap<ObjectKey, Result<Option<SecretValues>, ApiError>>,
    pub(super) answers: HashMap<Feed, Result<Quotations, FetchError>>,
    pub(super) spans: BTreeMap<Source, Date>,
    pub(super) has_begun: bool,
    /// Those that need nothing yet, once that is known.
    pub(super) resting: BTreeSet<Owner>,
    pub(super) searches: BTreeMap<Owner, Search>,
    pub(super) outlooks: OnceCell<BTreeMap<Owner, Outlook>>,
    /// What kept a ConfigMap from what it should be, by its owner.
    pub(super) troubles: BTreeMap<Owner, Event>,
    checking: Option<Checking<Owner>>,
}

impl<F: Feeds> ExchangeRates<F> {
    /// The ConfigMaps that the `ExchangeRate`s of a setting want, with rates from `feeds`.
    pub fn new(setting: Setting, feeds: F) -> Self {
        let rates = match &setting.source {
            RateSource::Cluster { .. } => BTreeMap::new(),
            RateSource::Files { rates, .. } => rates
                .iter()
                .map(|rate| LoadedRate::from_file(rate, setting.source.set(), &setting.asked))
                .map(|rate| (rate.owner.clone(), rate))
                .collect(),
        };
        Self {
            setting,
            feeds,
            rates,
            published: BTreeMap::new(),
            places: HashMap::new(),
            unlisted: Vec::new(),
            absorbed: HashSet::new(),
            keys: HashMap::new(),
            answers: HashMap::new(),
            spans: BTreeMap::new(),
            has_begun: false,
            resting: BTreeSet::new(),
            searches: BTreeMap::new(),
            outlooks: OnceCell::new(),
            troubles: BTreeMap::new(),
            checking: None,
        }
    }

    /// How many of them publish rates that are too old.
    pub fn stale(&self) -> usize {
        let outlooks = self.outlooks().values();
        let rates = outlooks.filter_map(Outlook::rates);
        rates.filter(|rates| rates.is_stale()).count()
    }

    /// What becomes of each that the run acts for, once everything was read.
    pub(super) fn outlooks(&self) -> &BTreeMap<Owner, Outlook> {
        self.outlooks.get_or_init(|| {
            let loaded = self.loaded();
            let rates = self.rates.values();
            rates
                .filter(|rate| loaded.contains(&rate.owner) && !self.resting.contains(&rate.owner))
                .map(|rate| (rate.owner.clone(), self.outlook(rate)))
                .collect()
        })
    }

    fn outlook(&self, rate: &LoadedRate) -> Outlook {
        let wish = match &rate.wish {
            Ok(wish) if wish.suspended => return Outlook::Suspended,
            Ok(wish) => wish,
            Err(problem) => return Outlook::Invalid(problem.clone()),
        };
        let published = self.published_by(rate, wish);
        let last = LastGood::of(rate, wish, published);
        match self.searches.get(&rate.owner) {
            Some(search) => Outlook::of(wish, search, last.as_ref(), published, self.today()),
            None => Outlook::NoRates,
        }
    }

    /// The ConfigMap that one wants. Of one that the run doesn't act for only the place matters.
    pub(super) fn wanted(&self, rate: &LoadedRate) -> Option<Desired> {
        if self.resting.contains(&rate.owner) {
            return None;
        }
        let wish = rate.wish.as_ref().ok().filter(|wish| !wish.suspended)?;
        let (content, carried) = match self.outlooks().get(&rate.owner) {
            Some(outlook) => {
                let rates = outlook.rates()?;
                (Arc::clone(&rates.content), rates.carried.clone())
            }
            None => (Arc::new(Content::default()), wish.carried.clone()),
        };
        let precedence = Precedence {
            created: Arc::clone(&rate.created),
            source: 0,
        };
        let template = Template::new(
            rate.owner.clone(),
            rate.owner.path().into(),
            content,
            carried,
            Policies::default(),
            precedence,
        );
        Some(Desired {
            key: wish.place.clone(),
            template: Arc::new(template.referring_to(rate.reference())),
        })
    }

    fn begin_check(&mut self) {
        let unchecked = self.rates.values_mut().filter_map(|loaded| {
            let rate = loaded.unchecked.take()?;
            Some((loaded.owner.clone(), *rate))
        });
        let unchecked: Vec<_> = unchecked.collect();
        self.checking = Some(Checking::begin(unchecked));
    }

    pub(super) fn end_check(&mut self) {
        let problems = self.checking.take().map(Checking::end).unwrap_or_default();
        for (owner, problem) in problems {
            if let Some(loaded) = self.rates.get_mut(&owner) {
                loaded.wish = Err(problem);
            }
        }
    }

    /// One that was asked for by name must exist, unless it may still come.
    fn check_names(&self) -> Result<(), RatesError> {
        let (
            RateSource::Cluster {
                names,
                namespace: Some(namespace),
            },
            Due::Everyone,
        ) = (&self.setting.source, &self.setting.due)
        else {
            return Ok(());
        };
        let known: BTreeSet<&Arc<str>> = self.rates.keys().map(|owner| &owner.name).collect();
        let missing = names.iter().filter(|name| !known.contains(name));
        let resource = EXCHANGE_RATES.qualified_plural();
        let names: Vec<String> = missing
            .map(|name| format!("{resource} \"{name}\""))
            .collect();
        if names.is_empty() {
            return Ok(());
        }
        Err(RatesError::NoSuchRates {
            names,
            namespace: namespace.to_string(),
        })
    }

    /// What it means that an input couldn't be read.
    fn unread(&mut self, input: &Input<Feed>, error: ApiError) -> Result<(), RatesError> {
        let is_forbidden = matches!(error.failure, Failure::Forbidden(_));
        match input {
            Input::List(query) if query.resource == &EXCHANGE_RATES => {
                if error.failure.is_unknown_resource() {
                    return Err(RatesError::NotInstalled);
                }
                Err(RatesError::Api(error))
            }
            // The domain's own list failed alike, and is told.
            Input::List(_) if is_forbidden => Ok(()),
            // Who may not read it has to do without that protection.
            Input::Get(key) if key.resource == &DEFINITIONS && is_forbidden => Ok(()),
            Input::Get(key) if key.resource == &SECRETS => {
                self.keys.insert(key.clone(), Err(error));
                Ok(())
            }
            _ => Err(RatesError::Api(error)),
        }
    }
}

impl<F: Feeds> Domain for ExchangeRates<F> {
    type Feed = Feed;
    type Fact = Fact;
    type Error = RatesError;

    fn collections(&self) -> Vec<Collection> {
        self.readable_collections()
    }

    fn owner_kind(&self) -> &'static OwnerKind {
        &EXCHANGE_RATE_OWNERS
    }

    fn inputs(&self) -> Vec<Input<Feed>> {
        self.wanted_inputs()
    }

    fn reduce(
        &self,
        input: &Input<Feed>,
        object: RawObject<'_>,
    ) -> Result<Option<Fact>, UnexpectedShape> {
        fact::reduce(input, object, &self.setting.asked)
    }

    async fn read(&self, feed: &Feed) -> Fact {
        let key = self.key(&feed.source);
        Fact::Answer(self.feeds.fetch(feed, key).await)
    }

    fn absorb(
        &mut self,
        input: &Input<Feed>,
        facts: Result<Vec<Fact>, ApiError>,
    ) -> Result<(), RatesError> {
        self.absorbed.insert(input.clone());
        let is_definition = matches!(input, Input::Get(key) if key.resource == &DEFINITIONS);
        match facts {
            Err(error) => self.unread(input, error)?,
            Ok(facts) if is_definition => {
                let stays = |fact: &Fact| matches!(fact, Fact::Definition { leaving: false });
                if !facts.iter().any(stays) {
                    return Err(RatesError::BeingUninstalled);
                }
            }
            Ok(facts) => {
                if let (Input::Get(key), true) = (input, facts.is_empty()) {
                    // Only of a Secret does it matter that there is none.
                    self.keys.insert(key.clone(), Ok(None));
                }
                for fact in facts {
                    self.take(input, fact);
                }
            }
        }
        if matches!(input, Input::List(query) if query.resource == &EXCHANGE_RATES) {
            self.check_names()?;
            self.begin_check();
        }
        self.go_on();
        Ok(())
    }

    fn collection_unreadable(
        &mut self,
        collection: &Collection,
        error: ApiError,
    ) -> Result<(), RatesError> {
        match error.failure {
            Failure::Forbidden(_) => {
                self.unlisted.push((collection.clone(), error));
                Ok(())
            }
            _ => Err(RatesError::Api(error)),
        }
    }

    fn forget_inputs(&mut self) {
        self.forget_objects();
    }

    fn desired(&mut self) -> Vec<Desired> {
        let rates = self.rates.values();
        rates.filter_map(|rate| self.wanted(rate)).collect()
    }

    fn scope(&self) -> Scope {
        let outlooks = self.outlooks().iter();
        let withheld = outlooks.filter(|(_, outlook)| outlook.rates().is_none());
        let withheld = withheld.map(|(owner, _)| owner).chain(&self.resting);
        Scope {
            set: self.setting.source.set(),
            loaded: self.loaded(),
            withheld: withheld.cloned().collect(),
            orphaning: BTreeSet::new(),
            kept_sources: HashSet::new(),
            leaving: HashSet::new(),
            pruning: self.setting.pruning,
        }
    }

    fn findings(&self) -> Vec<Finding> {
        self.all_findings()
    }

    fn settled(&mut self, outcome: &Outcome) {
        let is_trouble = matches!(
            outcome.event,
            Event::Conflict(_) | Event::Failed(_) | Event::Skipped(_)
        );
        if let Some(owner) = outcome
            .owner
            .as_ref()
            .filter(|_| is_trouble && outcome.desired.is_some())
        {
            self.troubles.insert(owner.clone(), outcome.event.clone());
        }
    }

    fn statuses(&self, now: Timestamp) -> Vec<StatusUpdate> {
        self.changed_statuses(now)
    }
}
