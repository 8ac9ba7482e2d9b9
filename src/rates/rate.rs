//! One rate: exact, positive, and read from text.

use std::{fmt, str::FromStr};

use rust_decimal::Decimal;

/// How many units of one currency are worth one unit of another: a positive decimal, exactly as the
/// provider's text has it. It never passes through a binary float.
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
}

impl Rate {
    /// One.
    pub const ONE: Self = Self(Decimal::ONE);

    /// The number.
    pub fn decimal(self) -> Decimal {
        self.0
    }
}

impl FromStr for Rate {
    type Err = RateError;

    /// Reads decimal notation, with or without an exponent, as JSON, XML and CSV write numbers.
    fn from_str(text: &str) -> Result<Self, RateError> {
        let parsed = Decimal::from_str_exact(text).or_else(|_| Decimal::from_scientific(text));
        let number = parsed.map_err(|_| RateError::NotANumber(text.to_owned()))?;
        if number <= Decimal::ZERO {
            return Err(RateError::NotPositive(text.to_owned()));
        }
        if number < Decimal::new(1, 9) || number > Decimal::new(1_000_000_000, 0) {
            return Err(RateError::OutOfRange(text.to_owned()));
        }
        Ok(Self(number.normalize()))
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, formatter)
    }
}
