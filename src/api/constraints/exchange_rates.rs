//! What must hold between the fields of an `ExchangeRate`.

use kube::core::{Reason, Rule};

/// Both spellings of the quotes, or none.
pub(in crate::api) fn quotes_or_currency() -> Rule {
    Rule::new("has(self.quotes) != has(self.currency)")
        .message("write either quotes, such as [USD, JPY], or currency, such as USD, and not both")
        .reason(Reason::FieldValueRequired)
}

/// The base among the quotes.
pub(in crate::api) fn base_among_quotes() -> Rule {
    Rule::new("!has(self.quotes) || !(self.base in self.quotes)")
        .message("the base is among the quotes, and would always be 1; remove it from quotes")
        .field_path(".quotes")
}

/// The base as the only quote.
pub(in crate::api) fn base_as_currency() -> Rule {
    Rule::new("!has(self.currency) || self.base != self.currency")
        .message("the currency is the base itself, and would always be 1; choose another currency or another base")
        .field_path(".currency")
}

/// A history that holds nothing.
pub(in crate::api) fn history_without_days() -> Rule {
    Rule::new("self.history > 0 || !has(self.configMap) || !has(self.configMap.keys) || !('history.csv' in self.configMap.keys)")
        .message("history.csv holds the rates of the last days, and history is 0; write for instance history: 30, or remove history.csv from keys")
        .field_path(".configMap.keys")
}

/// Only keys that a ConfigMap of several quotes doesn't have.
pub(in crate::api) fn only_keys_of_one_quote() -> Rule {
    Rule::new("!has(self.quotes) || self.quotes.size() < 2 || !has(self.configMap) || !has(self.configMap.keys) || self.configMap.keys.size() == 0 || self.configMap.keys.exists(key, !(key in ['rate', 'inverse']))")
        .message("rate and inverse are written for a single quote only, so that nothing would be; add quotes or a file such as rates.json to keys, or remove keys")
        .field_path(".configMap.keys")
}
