//! What gets feeds, for those who want them.

use secrecy::SecretString;

use super::{Feed, FetchError};
use crate::rates::Quotations;

/// Gets feeds.
pub trait Feeds {
    /// Gets a feed. Dropping the future gives up, and leaves nothing half done.
    ///
    /// The key is what [`super::Source::key`] names; whoever asks has read it.
    #[expect(
        async_fn_in_trait,
        reason = "all runs on one thread, so nobody needs it to be Send"
    )]
    async fn fetch(
        &self,
        feed: &Feed,
        key: Option<&SecretString>,
    ) -> Result<Quotations, FetchError>;
}

impl<F: Feeds> Feeds for &F {
    async fn fetch(
        &self,
        feed: &Feed,
        key: Option<&SecretString>,
    ) -> Result<Quotations, FetchError> {
        (**self).fetch(feed, key).await
    }
}
