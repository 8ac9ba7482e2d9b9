//! Tests of the division against integers of any size.

use num_bigint::BigUint;
use proptest::prelude::*;

use super::*;
use crate::rates::fixtures::any_decimal;

fn decimal_of(text: &str) -> Decimal {
    Decimal::from_str_exact(text).unwrap()
}

fn rounded(numerator: &str, denominator: &str) -> String {
    let quotient = quotient(decimal_of(numerator), decimal_of(denominator));
    quotient.unwrap().to_string()
}

#[test]
fn quotients_have_ten_significant_digits_and_no_trailing_zeros() {
    let table = [
        ("1", "3", "0.3333333333"),
        ("2", "3", "0.6666666667"),
        ("1", "8", "0.125"),
        ("100", "1", "100"),
        ("1", "1.0812", "0.9248982612"),
        ("1", "157.43", "0.006352029473"),
        ("1.0812", "157.43", "0.006867814267"),
        ("1000000000", "0.000000001", "1000000000000000000"),
        ("0.000000001", "1000000000", "0.000000000000000001"),
        ("12345678901234567890", "1", "12345678900000000000"),
    ];
    for (numerator, denominator, expected) in table {
        let expected = decimal_of(expected).normalize().to_string();
        assert_eq!(
            rounded(numerator, denominator),
            expected,
            "{numerator}/{denominator}"
        );
    }
}

#[test]
fn halves_go_to_the_even_digit() {
    assert_eq!(rounded("1.0000000005", "1"), "1");
    assert_eq!(rounded("1.0000000015", "1"), "1.000000002");
    assert_eq!(rounded("2.000000001", "2"), "1");
    // Ever so little more than half.
    assert_eq!(rounded("1.000000000500000000000000001", "1"), "1.000000001");
    assert_eq!(rounded("9.9999999996", "1"), "10");
}

/// 1.00000000149999…: 28 digits of it round up to the half, which rounds up again.
#[test]
fn nothing_is_rounded_twice() {
    let (numerator, denominator) = (
        "70000000105000000000000000001",
        "70000000000000000000000000001",
    );
    assert_eq!(rounded(numerator, denominator), "1.000000001");
    let (numerator, denominator) = (decimal_of(numerator), decimal_of(denominator));
    let twice = (numerator / denominator).round_dp(9);
    assert_eq!(twice.to_string(), "1.000000002");
    let nearest = nearest_decimal(numerator, denominator);
    assert_eq!(nearest.to_string(), "1.000000001");
}

#[test]
fn a_limit_is_exceeded_by_the_least_bit() {
    let exceeds = |numerator, denominator| {
        let limit = decimal_of("1.25");
        quotient_exceeds(decimal_of(numerator), decimal_of(denominator), limit)
    };
    assert!(!exceeds("1.25", "1"));
    assert!(exceeds("1.250000000000000000000000001", "1"));
    assert!(!exceeds("1.249999999999999999999999999", "1"));
    assert!(exceeds("1000000000000000000", "0.000000000000000001"));
    assert!(!exceeds("0.000000000000000001", "1000000000000000000"));
}

/// The numerator and denominator as a fraction of integers.
fn fraction(numerator: Decimal, denominator: Decimal) -> (BigUint, BigUint) {
    let ten = BigUint::from(10_u8);
    let part = |mantissa: Decimal, scale: Decimal| {
        BigUint::from(mantissa.mantissa().unsigned_abs()) * ten.pow(scale.scale())
    };
    (part(numerator, denominator), part(denominator, numerator))
}

/// The quotient by another way: the integer nearest to it, scaled to ten digits.
fn nearest_decimal(numerator: Decimal, denominator: Decimal) -> Decimal {
    let (numerator, denominator) = fraction(numerator, denominator);
    let ten = BigUint::from(10_u8);
    let scaled = |scale: i32| {
        let up = ten.pow(scale.max(0).unsigned_abs());
        let down = ten.pow(scale.min(0).unsigned_abs());
        (&numerator * up, &denominator * down)
    };
    let has_ten_digits = |scale: &i32| {
        let (numerator, denominator) = scaled(*scale);
        let whole = numerator / denominator;
        whole >= ten.pow(9) && whole < ten.pow(10)
    };
    let scale = (-40..60).find(has_ten_digits).unwrap();
    let (numerator, denominator) = scaled(scale);
    let lower = &numerator / &denominator;
    let left = &numerator - &lower * &denominator;
    let odd = &lower % 2_u8 == BigUint::from(1_u8);
    let up = match (left * 2_u8).cmp(&denominator) {
        Ordering::Less => false,
        Ordering::Equal => odd,
        Ordering::Greater => true,
    };
    let digits: i128 = (lower + u8::from(up)).try_into().unwrap();
    let power = |exponent: i32| 10_i128.pow(exponent.unsigned_abs());
    if scale <= 0 {
        Decimal::from_i128_with_scale(digits * power(scale), 0)
    } else {
        // Scales over 28 have trailing zeros: digits of a quotient of at least 10^-18.
        let spare = (scale - 28).max(0);
        Decimal::from_i128_with_scale(digits / power(spare), (scale - spare).unsigned_abs())
    }
    .normalize()
}

/// A pair whose quotient often lies on a half, or next to one.
fn near_half() -> impl Strategy<Value = (Decimal, Decimal)> {
    let half = (
        1_000_000_000_i128..10_000_000_000,
        1_i128..1_000_000_000,
        -1_i128..=1,
    );
    half.prop_map(|(digits, denominator, nudge)| {
        let numerator = (digits * 10 + 5) * denominator + nudge;
        (
            Decimal::from_i128_with_scale(numerator, 10),
            Decimal::from_i128_with_scale(denominator, 0),
        )
    })
}

proptest! {
    #[test]
    fn quotients_are_correct_to_the_last_digit(
        numerator in any_decimal(),
        denominator in any_decimal(),
    ) {
        let quotient = quotient(numerator, denominator);
        prop_assert_eq!(quotient, Some(nearest_decimal(numerator, denominator)));
    }

    #[test]
    fn halves_are_seen_exactly((numerator, denominator) in near_half()) {
        let quotient = quotient(numerator, denominator);
        prop_assert_eq!(quotient, Some(nearest_decimal(numerator, denominator)));
    }

    #[test]
    fn limits_are_compared_exactly(
        numerator in any_decimal(),
        denominator in any_decimal(),
        digits in 1_i64..i64::MAX,
        scale in 0_u32..18,
    ) {
        let limit = Decimal::new(digits, scale);
        let (numerator_digits, denominator_digits) = fraction(numerator, denominator);
        let (left, right) = fraction(limit, Decimal::ONE);
        let exceeds = numerator_digits * right > denominator_digits * left;
        prop_assert_eq!(quotient_exceeds(numerator, denominator, limit), exceeds);
    }
}
