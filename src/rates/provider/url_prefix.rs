//! What the addresses that are allowed begin with. Compared as URLs, never as text: `https://a.example`
//! is no beginning of `https://a.example.evil.example`.

use std::{fmt, str::FromStr};

use reqwest::Url;

/// What allowed addresses begin with: a scheme, a host, a port, and whole segments of a path.
#[derive(Clone, PartialEq, Eq)]
pub struct UrlPrefix(Url);

/// Why a text is no beginning of addresses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrefixError {
    /// It isn't a URL.
    #[error("it is not a URL: {0}; write it as https://HOST/PATH")]
    NotAUrl(String),
    /// It is no address of HTTP.
    #[error("it must begin with https: or http:")]
    Scheme,
    /// It has a part that addresses can't begin with.
    #[error("it must end with the host or a path, and have no user, query or fragment")]
    Extra,
    /// It has a segment that some take for several.
    #[error("it has an encoded slash or backslash in its path")]
    Encoded,
}

impl UrlPrefix {
    /// Whether a URL begins so.
    pub fn matches(&self, url: &Url) -> bool {
        let own = &self.0;
        own.scheme() == url.scheme()
            && own.host_str() == url.host_str()
            && own.port_or_known_default() == url.port_or_known_default()
            && is_below(own.path(), url.path())
            && !has_hidden_slash(url)
    }
}

fn is_below(prefix: &str, path: &str) -> bool {
    let prefix = prefix.trim_end_matches('/');
    let rest = path.strip_prefix(prefix);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Some servers decode these before they look for `..`; a URL only resolves those that it sees.
fn has_hidden_slash(url: &Url) -> bool {
    let path = url.path().to_ascii_lowercase();
    ["%2f", "%5c", "%25"]
        .iter()
        .any(|hidden| path.contains(hidden))
}

impl FromStr for UrlPrefix {
    type Err = PrefixError;

    fn from_str(text: &str) -> Result<Self, PrefixError> {
        let url = Url::parse(text).map_err(|error| PrefixError::NotAUrl(error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(PrefixError::Scheme);
        }
        let has_user = !url.username().is_empty() || url.password().is_some();
        if has_user || url.query().is_some() || url.fragment().is_some() {
            return Err(PrefixError::Extra);
        }
        if has_hidden_slash(&url) {
            return Err(PrefixError::Encoded);
        }
        Ok(Self(url))
    }
}

impl fmt::Display for UrlPrefix {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, formatter)
    }
}

impl fmt::Debug for UrlPrefix {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(prefix: &str, url: &str) -> bool {
        let prefix: UrlPrefix = prefix.parse().unwrap();
        prefix.matches(&Url::parse(url).unwrap())
    }

    #[test]
    fn segments_match_as_a_whole() {
        for url in [
            "https://a.example/rates",
            "https://A.EXAMPLE:443/rates",
            "https://a.example/rates/",
            "https://a.example/rates/eur.json?a=b",
            "https://a.example/x/../rates/eur",
        ] {
            assert!(matches("https://a.example/rates", url), "{url}");
            assert!(matches("https://a.example/rates/", url), "{url}");
        }
        assert!(matches("https://a.example", "https://a.example/anything"));
        assert!(matches("http://a.example:8080", "http://a.example:8080/"));
    }

    #[test]
    fn tricks_do_not_match() {
        for url in [
            "https://a.example/ratesx",
            "https://a.example/",
            "http://a.example/rates",
            "https://a.example:444/rates",
            "https://a.example.evil.example/rates",
            "https://evil.example/a.example/rates",
            "https://a.example./rates",
            "https://a.example/rates/../admin",
            "https://a.example/rates/%2e%2e/admin",
            "https://a.example/rates/.%2E/admin",
            "https://a.example/rates/..%2fadmin",
            "https://a.example/rates/..%5Cadmin",
            "https://a.example/rates/%252e%252e/admin",
            "https://a.example\\@evil.example/rates",
            "https://a.example/RATES",
        ] {
            assert!(!matches("https://a.example/rates", url), "{url}");
        }
    }

    #[test]
    fn what_no_address_begins_with_is_refused() {
        let error = |text: &str| text.parse::<UrlPrefix>().unwrap_err();
        assert!(matches!(error("a.example"), PrefixError::NotAUrl(_)));
        assert_eq!(error("file:///etc"), PrefixError::Scheme);
        assert_eq!(error("https://me@a.example"), PrefixError::Extra);
        assert_eq!(error("https://a.example/?a"), PrefixError::Extra);
        assert_eq!(error("https://a.example/a%2Fb"), PrefixError::Encoded);
    }
}
