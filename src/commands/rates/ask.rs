//! Asks one provider after the other.

use std::{env, time::Duration};

use jiff::civil::Date;
use secrecy::SecretString;
use tokio_util::sync::CancellationToken;

use super::{AskError, error::Unanswered, sources::sources, web::cache_folder};
use crate::{
    cli::{KubeFlags, rates::ProviderFlags},
    output::{ColourChoice, Colours, Streams, write_warning},
    rates::{
        Pairs, RateSheet,
        provider::{Feed, Feeds, Permissions, ProviderType, Source, Span, Web, WebOptions},
    },
};

/// What the first provider says that has all pairs.
pub struct Answer {
    /// Who.
    pub source: Source,
    /// The rates, with so many days of history as were asked for.
    pub sheet: RateSheet,
}

/// What is asked.
pub struct Question<'a> {
    /// The pairs.
    pub pairs: &'a Pairs,
    /// For which days.
    pub span: Span,
    /// How many days of history to keep.
    pub days: u16,
}

/// Asks the providers that were named. Those that fail or lack a currency are told of on standard error
/// if there is another one to ask.
pub async fn ask(
    question: &Question<'_>,
    flags: &ProviderFlags,
    kube: &KubeFlags,
    streams: &mut Streams,
    cancellation: &CancellationToken,
) -> Result<Answer, AskError> {
    let sources = sources(flags)?;
    let options = WebOptions {
        total_timeout: limit(flags.timeout),
        authorities: flags.provider_ca.clone(),
        cache: cache_folder(kube),
        ..WebOptions::default()
    };
    let web = Web::new(options, Permissions::for_own_objects())?;
    let asking = ask_in_turn(&web, question, sources, streams);
    tokio::select! {
        answer = asking => answer,
        () = cancellation.cancelled() => Err(AskError::Interrupted),
    }
}

/// No time at all means all the time in the world.
fn limit(timeout: Duration) -> Duration {
    if timeout.is_zero() {
        Duration::MAX
    } else {
        timeout
    }
}

async fn ask_in_turn(
    feeds: &impl Feeds,
    question: &Question<'_>,
    sources: Vec<Source>,
    streams: &mut Streams,
) -> Result<Answer, AskError> {
    let mut reasons = Vec::new();
    let mut sources = sources.into_iter().peekable();
    while let Some(source) = sources.next() {
        match ask_one(feeds, question, &source).await {
            Ok(sheet) => return Ok(Answer { source, sheet }),
            Err(reason) => {
                if let Some(next) = sources.peek() {
                    // A warning that can't be written is no reason to have no rates.
                    let palette = Colours::detect(ColourChoice::Auto, streams).err;
                    let message = format!("{reason}; asking {}", next.kind());
                    let _ = write_warning(streams, &message, palette);
                }
                reasons.push(reason);
            }
        }
    }
    Err(AskError::NoneHas(reasons))
}

async fn ask_one(
    feeds: &impl Feeds,
    question: &Question<'_>,
    source: &Source,
) -> Result<RateSheet, Unanswered> {
    let provider = source.kind().provider();
    let key = provider
        .needs_key()
        .and_then(|variable| env::var(variable).ok());
    let feed = Feed {
        source: source.clone(),
        span: span(question.span, source.kind()),
    };
    let quotations = feeds
        .fetch(&feed, key.map(SecretString::from).as_ref())
        .await?;
    let sheet = RateSheet::new(&quotations, question.pairs, None, question.days);
    sheet.map_err(|lacks| Unanswered::Lacks(source.kind(), lacks))
}

/// A document is had as a whole, however old its rates are.
fn span(wanted: Span, kind: ProviderType) -> Span {
    match (wanted, kind) {
        (Span::Since(_), ProviderType::Url) => Span::Since(Date::MIN),
        _ => wanted,
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::RefCell, io};

    use jiff::civil::date;

    use super::*;
    use crate::rates::{
        Quotations,
        provider::{Failure, FetchError, Origin},
    };

    /// Providers of which only some answer, and with few currencies.
    struct Few {
        asked: RefCell<Vec<Feed>>,
    }

    impl Feeds for Few {
        async fn fetch(
            &self,
            feed: &Feed,
            key: Option<&SecretString>,
        ) -> Result<Quotations, FetchError> {
            assert!(key.is_none(), "none of these takes a key");
            self.asked.borrow_mut().push(feed.clone());
            let code = match feed.source.kind() {
                ProviderType::Ecb => return Err(FetchError::new(feed, Failure::TimedOut)),
                ProviderType::Frankfurter => "JPY",
                _ => "USD",
            };
            let rate = (code.parse().unwrap(), "1.0812".parse().unwrap());
            Ok(Quotations {
                base: "EUR".parse().unwrap(),
                days: [(date(2026, 11, 20), [rate].into())].into(),
                next_update: None,
            })
        }
    }

    fn source(kind: ProviderType) -> Source {
        let url = (kind == ProviderType::Url).then(|| "file:///a".parse().unwrap());
        Source::new(kind, url, None, Origin::Own).unwrap()
    }

    /// Who answers, or why nobody does; and of which span each was asked.
    async fn asked(kinds: &[ProviderType]) -> (Result<ProviderType, String>, Vec<Span>) {
        let few = Few {
            asked: RefCell::default(),
        };
        let question = Question {
            pairs: &Pairs::new("EUR".parse().unwrap(), ["USD".parse().unwrap()]).unwrap(),
            span: Span::Since(date(2026, 11, 1)),
            days: 30,
        };
        let mut streams = Streams {
            out: Box::new(io::sink()),
            err: Box::new(io::sink()),
            out_is_terminal: false,
            err_is_terminal: false,
            in_is_terminal: false,
        };
        let sources = kinds.iter().copied().map(source).collect();
        let answer = ask_in_turn(&few, &question, sources, &mut streams).await;
        let who = match answer {
            Ok(answer) => Ok(answer.source.kind()),
            Err(error) => Err(error.to_string()),
        };
        let spans = few.asked.into_inner().into_iter().map(|feed| feed.span);
        (who, spans.collect())
    }

    #[tokio::test]
    async fn the_first_that_has_all_answers() {
        use ProviderType::{Ecb, Frankfurter, OpenErApi, Url};
        let (who, spans) = asked(&[Ecb, Frankfurter, OpenErApi, Url]).await;
        assert_eq!(who, Ok(OpenErApi));
        assert_eq!(spans, [Span::Since(date(2026, 11, 1)); 3]);
    }

    #[tokio::test]
    async fn every_reason_is_told_if_nobody_answers() {
        use ProviderType::{Ecb, Frankfurter};
        let (who, _) = asked(&[Ecb, Frankfurter]).await;
        insta::assert_snapshot!(who.unwrap_err(), @"
        no provider has these rates:
          ECB (www.ecb.europa.eu): no answer within the time allowed
          Frankfurter: no rate is given for USD
        ");
        let (who, _) = asked(&[Frankfurter]).await;
        insta::assert_snapshot!(who.unwrap_err(), @"Frankfurter: no rate is given for USD");
    }

    #[tokio::test]
    async fn a_document_is_asked_for_as_a_whole() {
        let (_, spans) = asked(&[ProviderType::Url]).await;
        assert_eq!(spans, [Span::Since(Date::MIN)]);
    }
}
