//! Addresses that rates are had at.

use std::{fmt, str::FromStr};

use reqwest::Url;

use super::Excerpt;

/// An address that rates are had at: `http`, `https` or `file`, without user information.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address(Url);

/// Why a text is no address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// It isn't a URL.
    #[error("it is not a URL: {0}; write it as https://HOST/PATH or file:///PATH")]
    NotAUrl(String),
    /// Its scheme isn't known.
    #[error("it begins with {0}, but only https:, http: and file: can be asked")]
    Scheme(Excerpt),
    /// It has a user or a password.
    #[error("it has a user or a password, which anybody who may read it would see; leave them out")]
    UserInfo,
    /// It names a place within a document.
    #[error("it has a fragment (#…), which is never sent; leave it out")]
    Fragment,
    /// It is a file on another machine.
    #[error("it names a host, but only files of this machine can be read; write file:///PATH")]
    FileOfAHost,
}

impl Address {
    /// The URL.
    pub fn url(&self) -> &Url {
        &self.0
    }

    /// Whether it is a file's.
    pub fn is_file(&self) -> bool {
        self.0.scheme() == "file"
    }

    /// This address with more segments at the end of its path.
    pub(super) fn join(&self, path: &str) -> Url {
        let mut url = self.0.clone();
        let root = url.path().trim_end_matches('/').to_owned();
        url.set_path(&format!("{root}/{path}"));
        url
    }
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let url = Url::parse(text).map_err(|error| AddressError::NotAUrl(error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https" | "file") {
            return Err(AddressError::Scheme(Excerpt::of(url.scheme())));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(AddressError::UserInfo);
        }
        if url.fragment().is_some() {
            return Err(AddressError::Fragment);
        }
        if url.scheme() == "file" && url.host_str().is_some() {
            return Err(AddressError::FileOfAHost);
        }
        Ok(Self(url))
    }
}

/// The part of a URL that may be shown: a query could hold anything.
pub fn shown(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.to_string()
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&shown(&self.0))
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> AddressError {
        text.parse::<Address>().unwrap_err()
    }

    #[test]
    fn http_https_and_files_are_addresses() {
        for text in [
            "http://mirror:8080/a",
            "https://a.example/?b=c",
            "file:///etc/rates.json",
        ] {
            assert!(text.parse::<Address>().is_ok(), "{text}");
        }
    }

    #[test]
    fn everything_else_is_refused() {
        assert!(matches!(refused("rates.json"), AddressError::NotAUrl(_)));
        assert!(matches!(refused("https://"), AddressError::NotAUrl(_)));
        assert_eq!(
            refused("ftp://a.example"),
            AddressError::Scheme(Excerpt::of("ftp"))
        );
        assert_eq!(
            refused("https://me:secret@a.example"),
            AddressError::UserInfo
        );
        assert_eq!(refused("https://me@a.example"), AddressError::UserInfo);
        assert_eq!(refused("https://a.example/#b"), AddressError::Fragment);
        assert_eq!(refused("file://a.example/b"), AddressError::FileOfAHost);
    }

    #[test]
    fn a_refusal_never_repeats_a_password() {
        for text in [
            "https://me:hunter2@a.example",
            "https://me:hunter2@:80",
            "ftp://me:hunter2@a",
        ] {
            assert!(!refused(text).to_string().contains("hunter2"), "{text}");
        }
    }

    #[test]
    fn what_is_shown_has_no_query() {
        let address: Address = "https://a.example/rates?token=hunter2".parse().unwrap();
        assert_eq!(address.to_string(), "https://a.example/rates");
        assert_eq!(format!("{address:?}"), "https://a.example/rates");
    }

    #[test]
    fn a_path_is_added_to_the_root_and_the_query_stays() {
        for root in ["https://a.example/api?x=1", "https://a.example/api/?x=1"] {
            let address: Address = root.parse().unwrap();
            assert_eq!(
                address.join("v2/rates").as_str(),
                "https://a.example/api/v2/rates?x=1"
            );
        }
    }
}
