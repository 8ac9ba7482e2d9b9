//! A provider's key, on its way into a request and never anywhere else.

use http::HeaderValue;
use reqwest::{RequestBuilder, Url, header};
use secrecy::{ExposeSecret as _, SecretString};

use crate::rates::provider::{Failure, KeyPlace, Provider};

/// What stands in for a key where one would be seen.
const HIDDEN: &[u8] = b"***";

/// A key that can be sent.
pub struct Key {
    text: SecretString,
    place: KeyPlace,
}

impl Key {
    /// The key for a provider that wants one.
    pub fn new(
        provider: &dyn Provider,
        key: Option<&SecretString>,
    ) -> Result<Option<Self>, Failure> {
        let Some(wanted) = provider.key() else {
            return Ok(None);
        };
        // Files and Secrets often end with a line break that nobody meant.
        let text = key.map_or("", |key| key.expose_secret().trim());
        if text.is_empty() {
            return Err(Failure::KeyMissing(wanted.variable));
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Failure::BadKey);
        }
        Ok(Some(Self {
            text: text.into(),
            place: wanted.place,
        }))
    }

    /// The address with the key in it, if that is where it goes.
    pub fn in_url(&self, url: &Url) -> Url {
        let mut url = url.clone();
        if let KeyPlace::Query(name) = self.place
            && !url.query_pairs().any(|(other, _)| other == name)
        {
            url.query_pairs_mut()
                .append_pair(name, self.text.expose_secret());
        }
        url
    }

    /// The request with the key in it, if that is where it goes.
    pub fn in_header(&self, request: RequestBuilder) -> RequestBuilder {
        let KeyPlace::Authorization(scheme) = self.place else {
            return request;
        };
        let value = format!("{scheme} {}", self.text.expose_secret());
        let mut value = HeaderValue::try_from(value).expect("the key is visible ASCII");
        value.set_sensitive(true);
        request.header(header::AUTHORIZATION, value)
    }

    /// Whether the key is in there.
    pub fn is_in(&self, bytes: &[u8]) -> bool {
        self.forms().iter().any(|form| find(bytes, form).is_some())
    }

    /// The same with something else in the key's place.
    pub fn hidden_in(&self, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for form in self.forms() {
            let mut from = 0;
            while let Some(at) = find(&bytes[from..], &form) {
                let at = from + at;
                bytes.splice(at..at + form.len(), HIDDEN.iter().copied());
                from = at + HIDDEN.len();
            }
        }
        bytes
    }

    /// What tells two keys apart, without being one.
    pub fn digest(&self) -> Vec<u8> {
        use sha2::Digest as _;
        sha2::Sha256::digest(self.text.expose_secret()).to_vec()
    }

    /// As it is, and as it is in a query.
    fn forms(&self) -> [Vec<u8>; 2] {
        let text = self.text.expose_secret();
        let encoded: String = form_urlencoded::byte_serialize(text.as_bytes()).collect();
        [text.as_bytes().to_vec(), encoded.into_bytes()]
    }
}

fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rates::provider::ProviderType;

    fn key(kind: ProviderType, text: &str) -> Result<Option<Key>, Failure> {
        Key::new(kind.provider(), Some(&text.into()))
    }

    #[test]
    fn a_key_is_only_for_those_who_want_one() {
        assert!(key(ProviderType::Ecb, "abc").unwrap().is_none());
        let missing = Failure::KeyMissing("OPENEXCHANGERATES_APP_ID");
        assert_eq!(
            key(ProviderType::OpenExchangeRates, " \n").err(),
            Some(missing)
        );
        assert_eq!(
            key(ProviderType::OpenExchangeRates, "a\nb").err(),
            Some(Failure::BadKey)
        );
        assert_eq!(
            key(ProviderType::OpenExchangeRates, "clé").err(),
            Some(Failure::BadKey)
        );
    }

    #[test]
    fn it_goes_where_the_provider_wants_it() {
        let url = Url::parse("https://a.example/live?x=1").unwrap();
        let in_query = key(ProviderType::ExchangeRateHost, "a&b\n")
            .unwrap()
            .unwrap();
        assert_eq!(
            in_query.in_url(&url).as_str(),
            "https://a.example/live?x=1&access_key=a%26b"
        );
        assert_eq!(
            in_query.in_url(&in_query.in_url(&url)),
            in_query.in_url(&url)
        );
        let in_header = key(ProviderType::OpenExchangeRates, "abc")
            .unwrap()
            .unwrap();
        assert_eq!(in_header.in_url(&url), url);
    }

    #[test]
    fn it_is_hidden_in_each_of_its_forms() {
        let key = key(ProviderType::ExchangeRateHost, "a&b").unwrap().unwrap();
        let text = b"a&b, a%26b and a&b";
        assert!(key.is_in(text) && !key.is_in(b"a&c"));
        assert_eq!(key.hidden_in(text), b"***, *** and ***");
    }
}
