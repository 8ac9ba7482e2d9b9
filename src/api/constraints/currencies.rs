//! The currencies of ISO 4217.

use std::sync::LazyLock;

use iso_currency::Currency;
use schemars::{Schema, SchemaGenerator};
use serde_json::json;

use super::text::{set, text, text_field};
use crate::api::exchange_rate::MOST_QUOTES;

/// Longer than any code, so that something like `Euro` is refused for what it is and not for its length.
const CODE_LENGTH: u32 = 16;

const CURRENCY_MESSAGE: &str =
    "not a currency code of ISO 4217; a code has three capital letters, such as EUR, USD or JPY";

const NO_QUOTE_MESSAGE: &str = "name at least one currency, such as USD";

/// A code is one that the library behind the rates knows.
static CURRENCY_RULE: LazyLock<String> = LazyLock::new(|| {
    let codes: Vec<String> = codes().map(|code| format!("'{code}'")).collect();
    format!("self in [{}]", codes.join(", "))
});

/// All codes, by their letters: the standard's numbers have three digits.
fn codes() -> impl Iterator<Item = &'static str> {
    let mut codes: Vec<&str> = (0..1000)
        .filter_map(Currency::from_numeric)
        .map(|currency| currency.code())
        .collect();
    codes.sort_unstable();
    codes.into_iter()
}

/// The code of a currency.
pub(in crate::api) fn currency(_: &mut SchemaGenerator) -> Schema {
    text_field(CODE_LENGTH, &[(&CURRENCY_RULE, CURRENCY_MESSAGE)])
}

/// The codes of at least one currency.
pub(in crate::api) fn quotes(_: &mut SchemaGenerator) -> Schema {
    let most = u32::try_from(MOST_QUOTES).expect("few");
    let mut schema = set(
        &text(CODE_LENGTH, &[(&CURRENCY_RULE, CURRENCY_MESSAGE)]),
        most,
    );
    schema.insert(
        "x-kubernetes-validations".to_owned(),
        json!([{
            "rule": "self.size() > 0",
            "message": NO_QUOTE_MESSAGE,
            "reason": "FieldValueRequired",
        }]),
    );
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_currencies_of_the_library_are_known_and_fit_into_the_quotes() {
        let letters = || ('A'..='Z').map(String::from);
        let all = letters().flat_map(|one| {
            letters().flat_map(move |two| {
                let start = format!("{one}{two}");
                letters().map(move |three| format!("{start}{three}"))
            })
        });
        let known: Vec<String> = all
            .filter(|code| Currency::from_code(code).is_some())
            .collect();
        assert_eq!(codes().collect::<Vec<_>>(), known);
        assert!(known.len() > 150 && known.len() <= MOST_QUOTES);
    }
}
