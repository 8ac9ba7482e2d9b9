//! What tests ask for, and with what.

use std::time::Duration;

use kubectl_copyrator::rates::{
    Quotations,
    provider::{
        Feed, Feeds as _, FetchError, Origin, Permissions, ProviderType, Proxies, Source, Span,
        Web, WebOptions,
    },
};

/// An answer of the simplest form.
pub const RATES: &[u8] = include_bytes!("../fixtures/rates/url.json");

/// The latest rates of a provider at an address.
pub fn feed(kind: ProviderType, url: &str, given_by: Origin) -> Feed {
    let url = url.parse().expect("the address is valid");
    Feed {
        source: Source::new(kind, Some(url), None, given_by).expect("the source is valid"),
        span: Span::Latest,
    }
}

/// The latest rates at an address, which a person gives.
pub fn own(url: &str) -> Feed {
    feed(ProviderType::Url, url, Origin::Own)
}

/// The latest rates at an address, which an object in a cluster gives.
pub fn of_object(url: &str) -> Feed {
    feed(ProviderType::Url, url, Origin::Cluster)
}

/// Patient with a slow machine, and impatient between attempts.
pub fn options() -> WebOptions {
    WebOptions {
        backoff: Duration::from_millis(10),
        proxies: Proxies::None,
        ..WebOptions::default()
    }
}

/// What gets feeds, without permissions for objects.
pub fn web(options: WebOptions) -> Web {
    Web::new(options, Permissions::for_objects_of_others()).expect("the options are valid")
}

/// Gets the latest rates at an address.
pub async fn fetch(url: &str) -> Result<Quotations, FetchError> {
    web(options()).fetch(&own(url), None).await
}

/// Why there are none: the word, and what is wrong.
pub fn why(result: Result<Quotations, FetchError>) -> (&'static str, String) {
    let error = result.expect_err("it was meant to fail");
    (error.word(), error.failure.to_string())
}
