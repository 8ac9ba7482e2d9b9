//! Getting feeds over HTTP and from files, politely and no further than is permitted.

mod attempts;
mod body;
mod cache;
mod clients;
mod exchange;
mod file;
mod key;
mod lookup;
mod options;
mod record;
mod redirect;
mod retry_after;
mod trouble;
mod web;

pub use clients::WebError;
pub use options::{Proxies, WebOptions};
pub use web::Web;
