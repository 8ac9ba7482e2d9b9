//! What makes a command about rates fail.

use std::{io, path::PathBuf};

use crate::{
    output::SvgError,
    rates::{
        AmountError, NoRates, UnknownCurrency,
        provider::{
            AddressError, FetchError, ProviderType, SourceError, UnknownProvider, WebError,
        },
    },
};

/// Why a command about rates failed.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// A code that names no currency.
    #[error(transparent)]
    Currency(#[from] UnknownCurrency),
    /// More quotes than one chart shows.
    #[error("a chart shows one pair; name one quote")]
    SeveralQuotes,
    /// An amount that can't be read or converted.
    #[error(transparent)]
    Amount(#[from] AmountError),
    /// A name that no provider has.
    #[error(transparent)]
    Provider(#[from] UnknownProvider),
    /// An address that can't be one.
    #[error("--url: {0}")]
    Address(#[from] AddressError),
    /// An address for which of several providers?
    #[error("--url is the address of one provider; name only one with --provider")]
    UrlOfSeveral,
    /// A provider that can't be asked so.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// Nothing can be asked at all.
    #[error(transparent)]
    Web(#[from] WebError),
    /// No provider has the rates.
    #[error("{}", told(.0))]
    NoneHas(Vec<Unanswered>),
    /// The chart can't be drawn.
    #[error(transparent)]
    Svg(#[from] SvgError),
    /// The chart can't be written.
    #[error("cannot write {file}: {cause}", file = .file.display())]
    Chart {
        /// Where to.
        file: PathBuf,
        /// Why not.
        cause: io::Error,
    },
    /// The user has interrupted it.
    #[error("interrupted")]
    Interrupted,
}

/// Why a provider gave nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unanswered {
    /// It couldn't be asked, or its answer can't be used.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// It lacks a currency.
    #[error("{0}: {1}")]
    Lacks(ProviderType, NoRates),
}

/// One provider's reason is the whole message; of several, each has a line.
fn told(reasons: &[Unanswered]) -> String {
    match reasons {
        [only] => only.to_string(),
        several => {
            let lines = several.iter().map(|reason| format!("\n  {reason}"));
            format!("no provider has these rates:{}", lines.collect::<String>())
        }
    }
}
