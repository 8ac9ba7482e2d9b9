//! How pairs of currencies are typed.

use std::str::FromStr;

use crate::cli::Complaint;

/// `BASE/QUOTE[,QUOTE…]`: codes of three letters, of which it isn't known yet whether there are such
/// currencies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairsArgument {
    /// The currency whose unit is priced.
    pub base: String,
    /// The currencies in which it is priced, at least one.
    pub quotes: Vec<String>,
}

impl FromStr for PairsArgument {
    type Err = Complaint;

    fn from_str(text: &str) -> Result<Self, Complaint> {
        let parsed = text.split_once('/').and_then(|(base, quotes)| {
            let quotes: Option<Vec<String>> = quotes.split(',').map(code).collect();
            let base = code(base)?;
            quotes.map(|quotes| Self { base, quotes })
        });
        parsed.ok_or_else(|| {
            Complaint(format!(
                "invalid pair {text:?}: it must be BASE/QUOTE with the codes of two currencies, such \
                 as EUR/USD, or with several quotes, such as EUR/USD,JPY"
            ))
        })
    }
}

/// A code in capital letters, however it was typed.
fn code(text: &str) -> Option<String> {
    let is_code = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_code.then(|| text.to_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_have_a_base_and_quotes() {
        let pairs = |base: &str, quotes: &[&str]| PairsArgument {
            base: base.to_owned(),
            quotes: quotes.iter().map(ToString::to_string).collect(),
        };
        assert_eq!("EUR/USD".parse(), Ok(pairs("EUR", &["USD"])));
        assert_eq!("usd/Jpy,eur".parse(), Ok(pairs("USD", &["JPY", "EUR"])));
    }

    #[test]
    fn everything_else_is_refused_with_an_example() {
        for text in [
            "",
            "/",
            "EUR",
            "EURUSD",
            "EUR/",
            "/USD",
            "EUR/USD/JPY",
            "EUR/USD,",
            "EUR/US",
            "EUR/U$D",
            "EUR/ÜSD",
            "EUR/USD JPY",
        ] {
            let complaint = text.parse::<PairsArgument>().unwrap_err();
            assert!(complaint.to_string().ends_with("such as EUR/USD,JPY"));
        }
    }
}
