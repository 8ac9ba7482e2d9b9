//! Division of decimals to some significant digits, correct to the last one.

use std::cmp::Ordering;

use rust_decimal::Decimal;

/// How many digits derived rates have.
const RATE_DIGITS: u32 = 10;

/// More digits than any limit has that a quotient is compared with.
const LIMIT_DIGITS: u32 = 20;

/// The quotient of two positive decimals: its first significant digits, and what is left.
///
/// It comes from long division of integers, so nothing is rounded before the end. `Decimal`'s own
/// division rounds to 28 digits: rounding that once more may round twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Quotient {
    /// The digits as an integer that has as many as were asked for.
    digits: u128,
    /// The quotient is `digits` by 10^`-scale`.
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

/// The quotient of two positive decimals to ten significant digits, half to even; none if that is too
/// large or small for a decimal.
pub(super) fn quotient(numerator: Decimal, denominator: Decimal) -> Option<Decimal> {
    let Quotient {
        digits,
        scale,
        rest,
    } = Quotient::of(numerator, denominator, RATE_DIGITS);
    let up = match rest {
        Rest::AboveHalf => true,
        Rest::Half => digits % 2 == 1,
        Rest::Nothing | Rest::BelowHalf => false,
    };
    decimal(digits + u128::from(up), scale)
}

/// Whether the quotient of two positive decimals is greater than a limit of at most 20 significant digits.
pub(super) fn quotient_exceeds(numerator: Decimal, denominator: Decimal, limit: Decimal) -> bool {
    let quotient = Quotient::of(numerator, denominator, LIMIT_DIGITS);
    let limit = Quotient::of(limit, Decimal::ONE, LIMIT_DIGITS);
    let size = |quotient: Quotient| (-quotient.scale, quotient.digits);
    match size(quotient).cmp(&size(limit)) {
        Ordering::Less => false,
        Ordering::Equal => quotient.rest != Rest::Nothing,
        Ordering::Greater => true,
    }
}

impl Quotient {
    /// Divides to so many digits. Both are positive: rates are.
    fn of(numerator: Decimal, denominator: Decimal, count: u32) -> Self {
        let least = 10_u128.pow(count - 1);
        let numerator_digits = numerator.mantissa().unsigned_abs();
        let mut divisor = denominator.mantissa().unsigned_abs();
        let mut scale = numerator.scale().cast_signed() - denominator.scale().cast_signed();
        // Mantissas have 96 bits, so there is room for one more digit everywhere.
        while numerator_digits / divisor >= least * 10 {
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

/// `digits` by 10^`-scale` without trailing zeros.
fn decimal(mut digits: u128, mut scale: i32) -> Option<Decimal> {
    while digits.is_multiple_of(10) {
        digits /= 10;
        scale -= 1;
    }
    let factor = 10_i128.checked_pow(scale.min(0).unsigned_abs())?;
    let mantissa = i128::try_from(digits).ok()?.checked_mul(factor)?;
    Decimal::try_from_i128_with_scale(mantissa, scale.max(0).unsigned_abs()).ok()
}

#[cfg(test)]
#[path = "division_tests.rs"]
mod tests;
