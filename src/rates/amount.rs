//! Amounts of money, and what they are in another currency.

use std::{fmt, str::FromStr};

use rust_decimal::Decimal;

use super::{Currency, Rate};

/// The decimals of an amount of gold and the like, which have no minor unit.
const DECIMALS_WITHOUT_MINOR_UNIT: u32 = 10;

/// An amount: an exact decimal, not negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount(Decimal);

/// Why there is no such amount.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AmountError {
    /// The text is no amount.
    #[error("{0:?} is not an amount: write a decimal number such as 1250.50, of at most 28 digits")]
    NotAnAmount(String),
    /// It can't be converted exactly.
    #[error("{amount} at the rate {rate} has too many digits to be exact; write a shorter amount")]
    TooLong {
        /// The amount.
        amount: Amount,
        /// The rate.
        rate: Rate,
    },
}

impl Amount {
    /// What it is in another currency: the product with the rate, rounded once to the minor unit of that
    /// currency (ISO 4217), and halves up. Source: Council Regulation (EC) No 1103/97, Article 5.
    pub fn converted(self, rate: Rate, quote: Currency) -> Result<Self, AmountError> {
        let exact = self.0.mantissa().checked_mul(rate.decimal().mantissa());
        let scale = self.0.scale() + rate.decimal().scale();
        let minor = quote.minor_decimals().map(u32::from);
        let decimals = minor.unwrap_or(DECIMALS_WITHOUT_MINOR_UNIT);
        let rounded = exact
            .and_then(|exact| rescaled(exact, scale, decimals))
            .and_then(|rounded| Decimal::try_from_i128_with_scale(rounded, decimals).ok());
        let rounded = rounded.ok_or(AmountError::TooLong { amount: self, rate })?;
        Ok(Self(match minor {
            Some(_) => rounded,
            None => rounded.normalize(),
        }))
    }
}

/// `mantissa` with other decimals, halves up; none if it is too large for that.
fn rescaled(mantissa: i128, scale: u32, decimals: u32) -> Option<i128> {
    let Some(fewer) = scale.checked_sub(decimals) else {
        return mantissa.checked_mul(10_i128.checked_pow(decimals - scale)?);
    };
    // What has so many decimals that their unit is no number any more is far below a half.
    let Some(unit) = 10_i128.checked_pow(fewer) else {
        return Some(0);
    };
    let (whole, rest) = (mantissa / unit, mantissa % unit);
    Some(whole + i128::from(rest >= unit - rest))
}

impl FromStr for Amount {
    type Err = AmountError;

    fn from_str(text: &str) -> Result<Self, AmountError> {
        let plain = |letter: char| letter.is_ascii_digit() || letter == '.';
        let amount = Some(text)
            .filter(|text| text.chars().all(plain))
            .and_then(|text| Decimal::from_str_exact(text).ok());
        let amount = amount.ok_or_else(|| AmountError::NotAnAmount(text.to_owned()))?;
        Ok(Self(amount))
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn converted(amount: &str, rate: &str, quote: &str) -> Result<String, AmountError> {
        let amount: Amount = amount.parse()?;
        let converted = amount.converted(rate.parse().unwrap(), quote.parse().unwrap())?;
        Ok(converted.to_string())
    }

    #[test]
    fn amounts_are_rounded_to_the_minor_unit() {
        let table = [
            ("100", "1.0812", "USD", "108.12"),
            ("100", "1.08", "USD", "108.00"),
            ("1250.50", "157.43", "JPY", "196866"),
            ("1", "0.33171", "KWD", "0.332"),
            ("0", "157.43", "JPY", "0"),
            ("3", "0.00025", "XAU", "0.00075"),
            ("1", "1.23456789012", "XAU", "1.2345678901"),
            // Halves go up, and what is less by whatever little doesn't.
            ("0.5", "1.01", "USD", "0.51"),
            ("1", "0.005", "USD", "0.01"),
            ("1", "0.015", "USD", "0.02"),
            ("1", "0.0049999999", "USD", "0.00"),
            (
                "0.0000000000000000000000000001",
                "0.000000001",
                "USD",
                "0.00",
            ),
        ];
        for (amount, rate, quote, expected) in table {
            let converted = converted(amount, rate, quote);
            assert_eq!(
                converted.as_deref(),
                Ok(expected),
                "{amount} {rate} {quote}"
            );
        }
    }

    #[test]
    fn what_would_not_be_exact_is_refused() {
        let long = "1234567890123456789012345678";
        assert!(converted(long, "1.0812", "JPY").is_ok());
        let error = converted(long, "1.2345678901234567", "JPY").unwrap_err();
        assert!(matches!(error, AmountError::TooLong { .. }));
        for text in ["", ".", "-1", "1e3", "1,5", "+1", "1_000", "EUR"] {
            let error = converted(text, "1", "EUR").unwrap_err();
            assert_eq!(error, AmountError::NotAnAmount(text.to_owned()));
        }
    }
}
