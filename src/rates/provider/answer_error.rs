//! Why an answer can't be used.

use std::fmt;

use super::Excerpt;
use crate::rates::{Currency, RateError};

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JSON.
    Json,
    /// XML.
    Xml,
    /// Comma-separated values.
    Csv,
}

impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Json => "JSON",
            Self::Xml => "XML",
            Self::Csv => "CSV",
        })
    }
}

/// Why an answer can't be used. None quotes more of it than a short excerpt, and none says where in
/// it, so that the same trouble has the same words each time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// There is nothing in it.
    #[error("got an empty answer, not {0}")]
    Empty(Format),
    /// It is a page for people, such as one that wants somebody to log in.
    #[error("got HTML, not {0}; a login page, or the wrong address?")]
    Html(Format),
    /// It is no text.
    #[error("got binary data, not {0}")]
    Binary(Format),
    /// It is something else.
    #[error("got no valid {format}, but {excerpt}")]
    NotFormat {
        /// What it should be.
        format: Format,
        /// How it begins.
        excerpt: Excerpt,
    },
    /// It stops in the middle.
    #[error("the {0} ends in the middle")]
    Truncated(Format),
    /// It has the format, but not the provider's form.
    #[error("the {format} is not what this provider answers: {reason}")]
    Malformed {
        /// How it is written.
        format: Format,
        /// What is other than expected.
        reason: Excerpt,
    },
    /// It says for no day that it is.
    #[error("it doesn't say for which day its rates are")]
    NoDate,
    /// Its day is none.
    #[error("{0} is not a date of the form 2026-11-20")]
    BadDate(Excerpt),
    /// Its base isn't a currency.
    #[error("its base {0} is no currency of ISO 4217")]
    UnknownBase(Excerpt),
    /// It mixes bases.
    #[error("its rates are for more than one base: {0} and {1}")]
    TwoBases(Currency, Excerpt),
    /// The base is worth something else than itself.
    #[error("it says that one {0} is worth {1} {0}")]
    Identity(Currency, Excerpt),
    /// A rate that can't be meant.
    #[error("its rate of {currency} can't be used: {reason}")]
    BadRate {
        /// The currency.
        currency: Currency,
        /// Why.
        reason: RateError,
    },
    /// Two rates where there should be one.
    #[error("it has more than one rate of {0} for the same day")]
    Duplicate(Currency),
    /// It has no rate of any currency that there is.
    #[error("it has no rates")]
    NoRates,
    /// The provider itself says that it has none.
    #[error("the provider refuses: {0}")]
    Refused(Refusal),
}

/// What a provider says instead of rates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// In its own words.
    pub said: Excerpt,
    /// Whether it has been asked too often.
    pub is_limit: bool,
}

impl Refusal {
    /// What the provider says.
    pub fn new(said: &str) -> Self {
        Self {
            said: Excerpt::of(said),
            is_limit: false,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.said, formatter)
    }
}

impl AnswerError {
    /// What is other than the provider's form.
    pub(super) fn malformed(format: Format, reason: impl AsRef<str>) -> Self {
        Self::Malformed {
            format,
            reason: Excerpt::of_ours(reason.as_ref()),
        }
    }

    /// The reason in a word, for conditions.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Html(_) => "GotHtml",
            Self::Empty(format) | Self::Binary(format) | Self::NotFormat { format, .. } => {
                match format {
                    Format::Json => "NotJson",
                    Format::Xml => "NotXml",
                    Format::Csv => "NotCsv",
                }
            }
            Self::Truncated(_) => "Truncated",
            Self::Malformed { .. } => "Malformed",
            Self::Refused(_) => "ProviderError",
            _ => "InvalidAnswer",
        }
    }
}
