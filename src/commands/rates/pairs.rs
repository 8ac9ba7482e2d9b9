//! The pairs that were typed, as currencies that there are.

use crate::{
    cli::rates::PairsArgument,
    rates::{Currency, Pairs, UnknownCurrency},
};

/// The pairs that were typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedPairs {
    /// The pairs.
    pub pairs: Pairs,
    /// Their quotes in the order in which they were typed, each once.
    pub quotes: Vec<Currency>,
}

impl TypedPairs {
    /// Looks the codes up.
    pub fn new(argument: &PairsArgument) -> Result<Self, UnknownCurrency> {
        let base: Currency = argument.base.parse()?;
        let mut quotes: Vec<Currency> = Vec::new();
        for quote in &argument.quotes {
            let quote = quote.parse()?;
            if !quotes.contains(&quote) {
                quotes.push(quote);
            }
        }
        let pairs = Pairs::new(base, quotes.iter().copied());
        Ok(Self {
            pairs: pairs.expect("a typed pair has a quote"),
            quotes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> Result<TypedPairs, String> {
        TypedPairs::new(&text.parse().unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn quotes_stay_in_their_order() {
        let quotes = typed("EUR/USD,JPY,usd").unwrap().quotes;
        let codes: Vec<&str> = quotes.iter().map(|quote| quote.code()).collect();
        assert_eq!(codes, ["USD", "JPY"]);
    }

    #[test]
    fn a_currency_that_there_is_not_is_named() {
        for text in ["ZZZ/USD", "EUR/USD,ZZZ"] {
            assert!(typed(text).unwrap_err().contains("\"ZZZ\""));
        }
    }
}
