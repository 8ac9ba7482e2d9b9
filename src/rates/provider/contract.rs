//! What each provider tells of itself: how it is asked, and how its answers are read.

use jiff::{SignedDuration, civil::Date};
use reqwest::Url;

use super::{Address, AnswerError, ProviderType, Refusal, Span};
use crate::rates::{Calendar, Quotations};

/// A provider: how it is asked, and how its answers are read. It never asks itself.
pub trait Provider: Sync {
    /// Which one it is.
    fn kind(&self) -> ProviderType;

    /// On which days it publishes.
    fn calendar(&self) -> Calendar;

    /// The address of the provider's own service, if it has one. Another one takes its place as a
    /// whole, so it is the root that [`Provider::request`] builds on.
    fn endpoint(&self) -> Option<&'static str>;

    /// How it wants to be shown a key, if it wants one.
    fn key(&self) -> Option<KeyUse> {
        None
    }

    /// The environment variable that has the key if nothing else says where it is; none for a
    /// provider that needs no key.
    fn needs_key(&self) -> Option<&'static str> {
        self.key().map(|key| key.variable)
    }

    /// Whether it can be asked for the rates of days gone by.
    fn has_history(&self) -> bool {
        false
    }

    /// For how long it wants no more requests after it has said so without saying for how long.
    fn pause(&self) -> Option<SignedDuration> {
        None
    }

    /// What to ask for at that address to get all currencies for the provider's own base, without a
    /// key. `today` decides which of several files suffices. A provider without history is asked for
    /// its latest rates whatever the span.
    fn request(&self, endpoint: &Address, span: Span, today: Date) -> Url;

    /// Reads the body of a successful answer.
    fn read(&self, body: &[u8]) -> Result<Quotations, AnswerError>;

    /// What the body of an unsuccessful answer says, if it has the provider's form for that.
    fn refusal(&self, _body: &[u8]) -> Option<Refusal> {
        None
    }
}

/// How a provider wants to be shown a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyUse {
    /// The environment variable that has the key if nothing else says where it is.
    pub variable: &'static str,
    /// Where in the request it goes.
    pub place: KeyPlace,
}

/// Where in a request a key goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPlace {
    /// A parameter of the query, with this name.
    Query(&'static str),
    /// The header `Authorization`, after this scheme.
    Authorization(&'static str),
}
