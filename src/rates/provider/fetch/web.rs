//! Gets feeds from where they are.

use std::time::Duration;

use jiff::Timestamp;
use reqwest::Url;
use secrecy::SecretString;
use tracing::debug;

use super::{
    attempts::chance,
    cache::{Cache, Name},
    clients::{Clients, WebError},
    exchange::{Asking, Question, Reply},
    file,
    key::Key,
    options::WebOptions,
    record::{Record, Validators},
};
use crate::rates::{
    Quotations,
    provider::{
        AnswerError, Failure, Feed, Feeds, FetchError, Format, Permissions, Refusal, Span, address,
        quoted,
    },
};

/// Gets feeds over HTTP and from files.
pub struct Web {
    options: WebOptions,
    permissions: Permissions,
    clients: Clients,
    cache: Cache,
}

/// An earlier answer that can still be read.
struct Known {
    record: Record,
    quotations: Quotations,
}

/// What a feed comes down to.
struct Asked<'a> {
    feed: &'a Feed,
    url: Url,
    key: Option<Key>,
    name: Name,
}

impl Web {
    /// Readies itself. `permissions` are for what objects in a cluster say; nothing is asked yet.
    pub fn new(options: WebOptions, permissions: Permissions) -> Result<Self, WebError> {
        Ok(Self {
            clients: Clients::new(&options)?,
            cache: Cache::new(options.cache.clone()),
            options,
            permissions,
        })
    }

    async fn get(&self, feed: &Feed, key: Option<&SecretString>) -> Result<Quotations, Failure> {
        let source = &feed.source;
        let provider = source.kind().provider();
        let today = quoted::day_of(Timestamp::now());
        let url = provider.request(source.endpoint(), feed.span, today);
        if source.endpoint().is_file() {
            let body = file::read(&self.permissions, source, &url, self.options.max_body)?;
            return provider.read(&body).map_err(Failure::from);
        }
        let reach = self.permissions.reach(source, &url)?;
        let key = Key::new(provider, key)?;
        let name = Name::new(source.kind(), &url, key.as_ref());
        let asked = Asked {
            feed,
            url,
            key,
            name,
        };
        let kept = self.cache.load(&asked.name);
        let known = kept.clone().filter(|_| !self.options.ignore_cache);
        let known = known.as_ref();
        let readable = known.and_then(|record| readable(&asked, record));
        if let Some(readable) = readable
            .as_ref()
            .filter(|it| it.record.is_fresh(Timestamp::now()))
        {
            debug!(provider = %source.kind(), "the answer from before is used: there is no news yet");
            return Ok(readable.quotations.clone());
        }
        if let Some(until) = known.and_then(|record| record.wait_until(Timestamp::now())) {
            return Err(Failure::RateLimited {
                until: Some(until),
                said: None,
            });
        }
        let validators = readable.as_ref().map(|known| &known.record.validators);
        let question = Question {
            source,
            url: asked.url.clone(),
            reach,
            key: asked.key.as_ref(),
            validators: validators.filter(|validators| !validators.is_empty()),
        };
        let reply = self.ask(&question).await;
        self.settle(&asked, kept, readable, reply)
    }

    async fn ask(&self, question: &Question<'_>) -> Result<Reply, Failure> {
        let place = address::shown(&question.url);
        debug!(provider = %question.source.kind(), place, "the provider is asked");
        let asking = Asking {
            clients: &self.clients,
            permissions: &self.permissions,
            max_body: self.options.max_body,
        };
        let asking = asking.ask_until_answered(question, self.options.backoff);
        let reply = tokio::time::timeout(self.options.total_timeout, asking).await;
        reply.unwrap_or(Err(Failure::TimedOut))
    }

    /// Reads a reply, and keeps what can be used again.
    fn settle(
        &self,
        asked: &Asked<'_>,
        kept: Option<Record>,
        known: Option<Known>,
        reply: Result<Reply, Failure>,
    ) -> Result<Quotations, Failure> {
        match (reply, known) {
            (Ok(Reply::NotModified(validators)), Some(known)) => {
                let record = Record {
                    fetched: Timestamp::now(),
                    validators: validators.or(&known.record.validators),
                    not_before: None,
                    ..known.record
                };
                self.cache.store(&asked.name, &record, asked.key.as_ref());
                Ok(known.quotations)
            }
            (Ok(Reply::NotModified(_)), None) => Err(Failure::HttpStatus {
                status: http::StatusCode::NOT_MODIFIED,
                said: None,
            }),
            (Ok(Reply::Answer { body, validators }), _) => {
                let read = read(asked, &body);
                if let Ok(quotations) = &read {
                    let delay = self.options.longest_delay.mul_f64(chance());
                    let record = record(body, validators, quotations, delay);
                    self.cache.store(&asked.name, &record, asked.key.as_ref());
                } else if let Err(Failure::RateLimited { until, .. }) = &read {
                    self.remember_wish(asked, kept, *until);
                }
                read
            }
            (Err(failure), _) => {
                if let Failure::RateLimited { until, .. } = &failure {
                    self.remember_wish(asked, kept, *until);
                }
                Err(failure)
            }
        }
    }

    /// The next run is to respect it as well.
    fn remember_wish(&self, asked: &Asked<'_>, kept: Option<Record>, until: Option<Timestamp>) {
        let Some(until) = until else {
            return;
        };
        let mut record = kept.unwrap_or_else(|| Record::empty(Timestamp::now()));
        record.not_before = Some(until);
        self.cache.store(&asked.name, &record, asked.key.as_ref());
    }
}

impl Feeds for Web {
    async fn fetch(
        &self,
        feed: &Feed,
        key: Option<&SecretString>,
    ) -> Result<Quotations, FetchError> {
        let got = self.get(feed, key).await;
        let mut quotations = got.map_err(|failure| FetchError::new(feed, failure))?;
        if let Span::Since(day) = feed.span {
            let asked_for = quotations.days.split_off(&day);
            // Of rates that are all older, the last ones are still the latest.
            if asked_for.is_empty() {
                quotations.days = quotations.days.pop_last().into_iter().collect();
            } else {
                quotations.days = asked_for;
            }
        }
        Ok(quotations)
    }
}

/// An earlier answer is held to what a new one is.
fn readable(asked: &Asked<'_>, record: &Record) -> Option<Known> {
    let provider = asked.feed.source.kind().provider();
    let quotations = provider.read(record.body.as_deref()?).ok()?;
    Some(Known {
        record: record.clone(),
        quotations,
    })
}

fn record(
    body: Vec<u8>,
    validators: Validators,
    quotations: &Quotations,
    delay: Duration,
) -> Record {
    let later = |moment: Timestamp| moment.saturating_add(delay).unwrap_or(Timestamp::MAX);
    Record {
        validators,
        use_until: quotations.next_update.map(later),
        body: Some(body),
        ..Record::empty(Timestamp::now())
    }
}

/// Reads an answer. What is wrong with it is told without the key, should the provider have repeated that.
fn read(asked: &Asked<'_>, body: &[u8]) -> Result<Quotations, Failure> {
    let provider = asked.feed.source.kind().provider();
    let error = match (provider.read(body), &asked.key) {
        (Ok(quotations), _) => return Ok(quotations),
        (Err(_), Some(key)) if key.is_in(body) => match provider.read(&key.hidden_in(body)) {
            Err(error) if !key.is_in(error.to_string().as_bytes()) => error,
            _ => AnswerError::malformed(Format::Json, "it repeats the key"),
        },
        (Err(error), _) => error,
    };
    Err(match error {
        AnswerError::Refused(said @ Refusal { is_limit: true, .. }) => {
            let now = Timestamp::now();
            let pause = provider.pause();
            Failure::RateLimited {
                until: pause.and_then(|pause| now.saturating_add(pause).ok()),
                said: Some(said),
            }
        }
        error => error.into(),
    })
}
