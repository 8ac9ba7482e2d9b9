//! One rate: exact, positive, and read from text.

use std::{fmt, str::FromStr};

use rust_decimal::Decimal;

/// How many units of one currency are worth one unit of another: a positive decimal, exactly as the
/// provider's text has it. It never passes through a binary float.
///
/// It shows itself without an exponent and without trailing zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(Decimal);

/// Why a text is no rate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RateError {
    /// It isn't a decimal number, or has more than 28 digits.
    #[error("{0:?} is not a decimal number of at most 28 digits")]
    NotANumber(String),
    /// It is zero or negative.
    #[error("{0} is not positive")]
    NotPositive(String),
    /// It is so large or small that it can't be meant.
    #[error("{0} is out of range: rates are from 0.000000001 to 1000000000")]
    OutOfRange(String),
    /// We would write this number in another way, so somebody else wrote it.
    #[error("{0:?} is not written as rates are published, which is {1}")]
    NotAsPublished(String, Rate),
}

impl Rate {
    /// One.
    pub const ONE: Self = Self(Decimal::ONE);

    /// The number.
    pub fn decimal(self) -> Decimal {
        self.0
    }

    /// A rate that was derived from others. Of two that providers may give, the quotient is from
    /// 10^-18 to 10^18: such a rate may lie outside of what is believed of a provider.
    pub(super) fn derived(number: Decimal) -> Self {
        assert!(number > Decimal::ZERO, "quotients of rates are positive");
        Self(number.normalize())
    }

    /// Reads what [`Rate`]'s `Display` wrote, and nothing else.
    pub(super) fn from_published(text: &str) -> Result<Self, RateError> {
        let not_a_number = || RateError::NotANumber(text.to_owned());
        let number = scaled(text, 0).ok_or_else(not_a_number)?;
        if number <= Decimal::ZERO {
            return Err(RateError::NotPositive(text.to_owned()));
        }
        let rate = Self(number);
        if rate.to_string() != text {
            return Err(RateError::NotAsPublished(text.to_owned(), rate));
        }
        Ok(rate)
    }
}

impl FromStr for Rate {
    type Err = RateError;

    /// Reads decimal notation, with or without an exponent, as JSON, XML and CSV write numbers.
    fn from_str(text: &str) -> Result<Self, RateError> {
        let number = number(text).ok_or_else(|| RateError::NotANumber(text.to_owned()))?;
        if number <= Decimal::ZERO {
            return Err(RateError::NotPositive(text.to_owned()));
        }
        if number < Decimal::new(1, 9) || number > Decimal::new(1_000_000_000, 0) {
            return Err(RateError::OutOfRange(text.to_owned()));
        }
        Ok(Self(number))
    }
}

/// The number that a text means, if it has one and it is kept exactly.
fn number(text: &str) -> Option<Decimal> {
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    scaled(digits, exponent.parse().ok()?)
}

/// The plain decimal times 10^exponent, without trailing zeros. The library's own reading of exponents
/// rounds what has too many digits.
fn scaled(digits: &str, exponent: i32) -> Option<Decimal> {
    let plain = |letter: char| letter.is_ascii_digit() || letter == '.';
    // The library would also take "1_000" and "+1".
    if !digits
        .strip_prefix('-')
        .unwrap_or(digits)
        .chars()
        .all(plain)
    {
        return None;
    }
    let number = Decimal::from_str_exact(digits).ok()?.normalize();
    let scale = i64::from(number.scale()) - i64::from(exponent);
    let factor = 10_i128.checked_pow(u32::try_from((-scale).max(0)).ok()?)?;
    let mantissa = number.mantissa().checked_mul(factor)?;
    let scale = u32::try_from(scale.max(0)).ok()?;
    let scaled = Decimal::try_from_i128_with_scale(mantissa, scale).ok()?;
    Some(scaled.normalize())
}

impl fmt::Display for Rate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, RateError> {
        text.parse::<Rate>().map(|rate| rate.to_string())
    }

    #[test]
    fn numbers_are_kept_exactly_and_shown_plainly() {
        let table = [
            ("1.0812", "1.0812"),
            ("1.0810", "1.081"),
            ("157", "157"),
            ("1.5700e2", "157"),
            ("1E3", "1000"),
            ("1e+3", "1000"),
            ("12.5e-3", "0.0125"),
            ("1e9", "1000000000"),
            ("1e-9", "0.000000001"),
            ("0.000000001", "0.000000001"),
            (
                "1.234567890123456789012345678",
                "1.234567890123456789012345678",
            ),
        ];
        for (text, shown) in table {
            assert_eq!(read(text).as_deref(), Ok(shown), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        let no_numbers = [
            "",
            ".",
            "-",
            "e3",
            "1e",
            "1,5",
            "1_000",
            "+1",
            "--1",
            "0x1",
            "NaN",
            "inf",
            " 1",
            "1 ",
            "1e99999999999",
            "1e2147483647",
            "1e-2147483648",
            "1e40",
            "1e-40",
            "1.23456789012345678901234567891",
            "1.23456789012345678901234567891e1",
        ];
        for text in no_numbers {
            assert_eq!(read(text), Err(RateError::NotANumber(text.to_owned())));
        }
        for text in ["0", "0.00", "-1", "-0.5e1"] {
            assert_eq!(read(text), Err(RateError::NotPositive(text.to_owned())));
        }
        for text in ["0.0000000009", "1000000000.1", "1e10", "1e-10"] {
            assert_eq!(read(text), Err(RateError::OutOfRange(text.to_owned())));
        }
    }

    #[test]
    fn published_rates_are_read_only_as_they_are_written() {
        for text in ["1", "0.000000000000000001", "1000000000000000000"] {
            let rate = Rate::from_published(text).unwrap();
            assert_eq!(rate.to_string(), text);
        }
        for text in ["1.0", "01", "1e3", "-1", "0", ".5", ""] {
            assert!(Rate::from_published(text).is_err(), "{text:?}");
        }
    }
}
