//! Who may be asked for rates, and how.

use kube::core::{Reason, Rule};
use schemars::{Schema, SchemaGenerator, json_schema};

use super::text::text_field;
use crate::api::exchange_rate::{ProviderType, RateProvider};

/// The most providers of one `ExchangeRate`.
const MOST_PROVIDERS: u32 = 8;

/// The longest address: what servers and proxies are known to take.
const URL_LENGTH: u32 = 2048;

const URL_MESSAGE: &str = "a url is an http:// or https:// address without a user, a password or a fragment, such as https://rates.example.com/latest.json, or a file, such as file:///rates/latest.json; a key belongs in a Secret";

/// RFC 3986, as far as it is of use here: an authority without user information, no fragment, and no
/// characters that an address has only in percent-encoding.
const URL_RULE: &str = r"self.matches('^(https?://([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(:(6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3}))?([/?][A-Za-z0-9._~:/?@!$&()*+,;=%-]*)?|file:///[A-Za-z0-9._~:/@!$&()*+,;=%-]+)$')";

/// At least one provider, and none twice.
pub(in crate::api) fn providers(generator: &mut SchemaGenerator) -> Schema {
    let items = generator.subschema_for::<RateProvider>();
    json_schema!({
        "type": "array",
        "items": items,
        "maxItems": MOST_PROVIDERS,
        "x-kubernetes-list-type": "atomic",
        "x-kubernetes-validations": [
            {
                "rule": "self.size() > 0",
                "message": "name at least one provider, or remove providers to ask the ECB and then Frankfurter",
                "reason": "FieldValueRequired",
            },
            {
                "rule": "self.all(one, self.exists_one(other, other == one))",
                "message": "a provider that is listed twice is asked once; remove one of the two",
            },
        ],
    })
}

/// An address.
pub(in crate::api) fn provider_url(_: &mut SchemaGenerator) -> Schema {
    text_field(URL_LENGTH, &[(URL_RULE, URL_MESSAGE)])
}

/// The type for any address, without one.
pub(in crate::api) fn url_of_its_own() -> Rule {
    Rule::new("self.type != 'URL' || has(self.url)")
        .message(
            "a provider of type URL needs a url, such as https://rates.example.com/latest.json",
        )
        .field_path(".url")
        .reason(Reason::FieldValueRequired)
}

/// A file in place of a service.
pub(in crate::api) fn file_of_no_service() -> Rule {
    Rule::new("self.type == 'URL' || !has(self.url) || !self.url.startsWith('file:')")
        .message("only a provider of type URL reads a file; write type: URL, or an http:// or https:// address")
        .field_path(".url")
}

/// A key for a provider that takes none.
pub(in crate::api) fn key_for_nobody() -> Rule {
    let without_key: Vec<String> = ProviderType::ALL
        .into_iter()
        .filter(|kind| !kind.takes_key())
        .map(|kind| format!("'{}'", kind.name()))
        .collect();
    let without_key = without_key.join(", ");
    Rule::new(format!(
        "!has(self.secretKeyRef) || !(self.type in [{without_key}])"
    ))
    .message("only OpenExchangeRates and ExchangeRateHost take a key; remove secretKeyRef")
    .field_path(".secretKeyRef")
    .reason(Reason::FieldValueForbidden)
}
