//! The providers: where each one's rates are had, and how its answers are read.

mod address;
mod answer_error;
mod contract;
mod ecb;
mod excerpt;
mod exchangerate_host;
mod failure;
mod feeds;
mod fetch;
mod frankfurter;
mod frankfurter_v1;
mod json;
mod kind;
mod open_er_api;
mod open_exchange_rates;
mod permissions;
mod public;
mod quoted;
mod simple_csv;
mod source;
mod text;
mod url;
mod url_prefix;

pub use crate::api::ProviderType;
pub use address::{Address, AddressError};
pub use answer_error::{AnswerError, Format, Refusal};
pub use contract::{KeyPlace, KeyUse, Provider};
pub use excerpt::Excerpt;
pub use failure::{BadRedirect, Failure, FetchError};
pub use feeds::Feeds;
pub use fetch::{Proxies, Web, WebError, WebOptions};
pub use kind::UnknownProvider;
pub use permissions::{FilePermission, Permissions, UrlPermission};
pub use source::{Feed, KeySource, Origin, Source, SourceError, Span};
pub use url_prefix::{PrefixError, UrlPrefix};
