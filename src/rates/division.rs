//! Division of decimals to ten significant digits, correct to the last one.

use std::cmp::Ordering;

use rust_decimal::Decimal;

/// The least and one more than the greatest number with ten digits.
const TEN_DIGITS: [u128; 2] = [1_000_000_000, 10_000_000_000];

/// The quotient of two positive decimals: its first ten significant digits, and what is left.
///
/// It comes from long division of integers, so nothing is rounded before the end. `Decimal`'s own
/// division rounds to 28 digits: rounding that once more may round twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quotient {
    /// The digits as an integer of ten digits.
    digits: u128,
    /// The quotient is `digits` by 10^`scale`.
    scale: i32,
    rest: Rest,
}

/// What is left after the last digit, in units of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rest {
    Nothing,
    BelowHalf,
    Half,
    AboveHalf,
}

impl Quotient {
    /// Divides. Both are positive: rates are.
    pub(super) fn of(numerator: Decimal, denominator: Decimal) -> Self {
        let [least, end] = TEN_DIGITS;
        let numerator_digits = numerator.mantissa().unsigned_abs();
        let mut divisor = denominator.mantissa().unsigned_abs();
        let mut scale = numerator.scale().cast_signed() - denominator.scale().cast_signed();
        // Mantissas have 96 bits, so there is room for one more digit everywhere.
        while numerator_digits / divisor >= end {
            divisor *= 10;
            scale -= 1;
        }
        let mut digits = numerator_digits / divisor;
        let mut rest = numerator_digits % divisor;
        while digits < least {
            rest *= 10;
            digits = digits * 10 + rest / divisor;
            rest %= divisor;
            scale += 1;
        }
        let rest = Rest::of(rest, divisor);
        Self {
            digits,
            scale,
            rest,
        }
    }

    /// Rounded to ten significant digits, half to even; none if that is too large or small for a decimal.
    pub(super) fn rounded(self) -> Option<Decimal> {
        let up = match self.rest {
            Rest::AboveHalf => true,
            Rest::Half => self.digits % 2 == 1,
            Rest::Nothing | Rest::BelowHalf => false,
        };
        decimal(self.digits + u128::from(up), self.scale)
    }

    /// Whether it is greater than a positive number of at most ten significant digits.
    pub(super) fn exceeds(self, threshold: Decimal) -> bool {
        let threshold = Self::of(threshold, Decimal::ONE);
        let size = |quotient: Self| (-quotient.scale, quotient.digits);
        match size(self).cmp(&size(threshold)) {
            Ordering::Less => false,
            Ordering::Equal => self.rest != Rest::Nothing,
            Ordering::Greater => true,
        }
    }
}

impl Rest {
    fn of(rest: u128, divisor: u128) -> Self {
        match (rest, (rest * 2).cmp(&divisor)) {
            (0, _) => Self::Nothing,
            (_, Ordering::Less) => Self::BelowHalf,
            (_, Ordering::Equal) => Self::Half,
            (_, Ordering::Greater) => Self::AboveHalf,
        }
    }
}

/// `digits` by 10^`scale` without trailing zeros.
fn decimal(mut digits: u128, mut scale: i32) -> Option<Decimal> {
    while digits.is_multiple_of(10) {
        digits /= 10;
        scale -= 1;
    }
    let digits = i128::try_from(digits).ok()?;
    match u32::try_from(scale) {
        Ok(scale) => Decimal::try_from_i128_with_scale(digits, scale).ok(),
        Err(_) => {
            let factor = 10_i128.checked_pow(scale.unsigned_abs())?;
            Decimal::try_from_i128_with_scale(digits.checked_mul(factor)?, 0).ok()
        }
    }
}

#[cfg(test)]
#[path = "division_tests.rs"]
mod tests;
