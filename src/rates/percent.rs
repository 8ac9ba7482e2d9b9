//! Percentages, of which limits are made.

use std::{fmt, str::FromStr};

use rust_decimal::Decimal;

/// More letters than a limit needs. The schema of the resource has the same bound.
const MOST_LETTERS: usize = 16;

/// A percentage above zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Percent(Decimal);

/// A text that is no percentage.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a percentage above zero with its sign, such as 25% or 7.5%, in at most \
     {MOST_LETTERS} characters"
)]
pub struct PercentError(pub String);

impl Percent {
    /// The number before the sign.
    pub fn number(self) -> Decimal {
        self.0
    }

    /// By what something is multiplied that grows by this: 1.25 for 25%.
    pub(super) fn growth(self) -> Decimal {
        Decimal::ONE + self.0 / Decimal::ONE_HUNDRED
    }
}

impl FromStr for Percent {
    type Err = PercentError;

    fn from_str(text: &str) -> Result<Self, PercentError> {
        let number = Some(text)
            .filter(|text| text.len() <= MOST_LETTERS)
            .and_then(|text| text.strip_suffix('%'))
            .filter(|number| is_plain(number))
            .and_then(|number| Decimal::from_str_exact(number).ok())
            .filter(|number| *number > Decimal::ZERO);
        let number = number.ok_or_else(|| PercentError(text.to_owned()))?;
        Ok(Self(number.normalize()))
    }
}

/// Whether it is digits, and perhaps a point with digits on both sides.
fn is_plain(number: &str) -> bool {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let are_digits =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    are_digits(whole) && are_digits(fraction)
}

impl fmt::Display for Percent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}%", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_are_read_with_their_sign() {
        let table = [
            ("25%", "25%", "1.25"),
            ("2.50%", "2.5%", "1.025"),
            ("007%", "7%", "1.07"),
            ("0.0000000000001%", "0.0000000000001%", "1.000000000000001"),
            ("999999999999999%", "999999999999999%", "10000000000000.99"),
        ];
        for (text, shown, growth) in table {
            let percent: Percent = text.parse().unwrap();
            assert_eq!(percent.to_string(), shown);
            assert_eq!(percent.growth().to_string(), growth);
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "%",
            "25",
            "0%",
            "0.0%",
            "-1%",
            "+1%",
            "1e2%",
            "1.%",
            ".5%",
            "1.2.3%",
            "1_0%",
            " 1%",
            "1 %",
            "1%%",
            "9999999999999999%",
            "٢%",
        ] {
            assert_eq!(text.parse::<Percent>(), Err(PercentError(text.to_owned())));
        }
    }
}
