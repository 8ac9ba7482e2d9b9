//! Currencies, by their ISO 4217 codes.

use std::{cmp::Ordering, fmt, str::FromStr};

/// A currency of ISO 4217.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Currency(iso_currency::Currency);

/// A code that names no currency.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no currency code of ISO 4217; codes have three capital letters, such as EUR")]
pub struct UnknownCurrency(pub String);

impl Currency {
    /// The euro.
    pub const EUR: Self = Self(iso_currency::Currency::EUR);
    /// The dollar of the United States.
    pub const USD: Self = Self(iso_currency::Currency::USD);

    /// The three letters.
    pub fn code(self) -> &'static str {
        self.0.code()
    }

    /// How many decimals an amount has: those of the minor unit. None for gold and the like, and for
    /// units of account.
    pub fn minor_decimals(self) -> Option<u16> {
        self.0.exponent()
    }

    /// The English name.
    pub fn name(&self) -> &str {
        self.0.name()
    }
}

impl FromStr for Currency {
    type Err = UnknownCurrency;

    fn from_str(code: &str) -> Result<Self, UnknownCurrency> {
        let known = iso_currency::Currency::from_code(code);
        // The library may be more lenient than the standard.
        known
            .filter(|currency| currency.code() == code)
            .map(Self)
            .ok_or_else(|| UnknownCurrency(code.to_owned()))
    }
}

impl Ord for Currency {
    fn cmp(&self, other: &Self) -> Ordering {
        self.code().cmp(other.code())
    }
}

impl PartialOrd for Currency {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.code())
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_as_the_standard_writes_them() {
        assert_eq!("EUR".parse(), Ok(Currency::EUR));
        for code in ["eur", "Eur", "EURO", "EU", "", " EUR", "ZZZ"] {
            let unknown = UnknownCurrency(code.to_owned());
            assert_eq!(code.parse::<Currency>(), Err(unknown));
        }
    }

    #[test]
    fn amounts_have_the_decimals_of_the_minor_unit() {
        let decimals = |code: &str| code.parse::<Currency>().unwrap().minor_decimals();
        assert_eq!(decimals("EUR"), Some(2));
        assert_eq!(decimals("JPY"), Some(0));
        assert_eq!(decimals("KWD"), Some(3));
        assert_eq!(decimals("XAU"), None);
    }
}
